// Colors of the worlds (Okabe-Ito: told apart by all kinds of color vision), the same in viewports and plots; and their names.

import type {View} from '../net/protocol';
import {css} from './dom';

export const worldNames: Record<string, string> = {designed: 'Designed', reference: 'Default damping', undamped: 'Undamped', example: 'Example', mode: 'Mode', run: 'Recorded'};
/** For legends, where every character counts. */
export const shortNames: Record<string, string> = {...worldNames, reference: 'Default'};
export const worldHelp: Record<string, string> = {
  designed: 'the scene as it is, with its examples',
  reference: 'the damping of the body alone, without examples',
  undamped: 'no damping at all: what is lost here, the integrator took',
  example: 'the shape of an example, swinging',
  mode: 'a vibration mode, swinging',
};

export function worldColor(kind: string): string {
  return css(`--world-${kind}`) || css('--world-designed');
}
export function worldDash(kind: string): number[] {
  return kind === 'reference' ? [6, 3] : kind === 'undamped' ? [2, 3] : [];
}

export function viewTitle(view: View): string {
  if (view.kind === 'example') return `Example: ${view.name ?? ''}`;
  if (view.kind === 'mode') return `Mode ${view.index ?? 1}`;
  return worldNames[view.kind] ?? view.kind;
}

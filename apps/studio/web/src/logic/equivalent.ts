// Equivalent measures of the damping of a linear oscillator; the twin of analysis::damping_units. Shares are 0 … 1, frequencies in Hz
// (undamped), times in s.

const twoPi = 2 * Math.PI;

/** Share of the amplitude lost in one cycle; 1 where nothing swings any more (zeta >= 1). */
export function lostPerCycle(zeta: number): number {
  return zeta >= 1 ? 1 : -Math.expm1((-twoPi * zeta) / Math.sqrt(1 - zeta * zeta));
}

export function zetaFromLostPerCycle(share: number): number {
  const decrement = -Math.log1p(-share);
  return decrement / Math.hypot(twoPi, decrement);
}

/** Decay rate of the envelope [1/s]; of an overdamped oscillator the slower of its two rates. */
export function decayRate(zeta: number, frequency: number): number {
  const omega = twoPi * frequency;
  return zeta < 1 ? zeta * omega : omega / (zeta + Math.sqrt(zeta * zeta - 1));
}

/** Time in which the amplitude falls to the share `band` [s]; infinite without damping. */
export function settleTime(zeta: number, frequency: number, band = 0.05): number {
  return zeta > 0 ? -Math.log(band) / decayRate(zeta, frequency) : Infinity;
}

/** The underdamped ratio that settles in this time; NaN where even critical damping is too slow. */
export function zetaFromSettleTime(time: number, frequency: number, band = 0.05): number {
  const zeta = -Math.log(band) / time / (twoPi * frequency);
  return zeta <= 1 ? zeta : NaN;
}

/** Rayleigh coefficients that alone give zeta at this frequency: alpha [1/s] without beta, beta [s] without alpha. */
export function rayleighOfOne(zeta: number, frequency: number): {alpha: number; beta: number} {
  const omega = twoPi * frequency;
  return {alpha: 2 * zeta * omega, beta: (2 * zeta) / omega};
}

/** Damping ratio of Rayleigh damping at a frequency. */
export function zetaOfRayleigh(alpha: number, beta: number, frequency: number): number {
  const omega = twoPi * frequency;
  return alpha / (2 * omega) + (beta * omega) / 2;
}

/** Ratio between two successive peaks of one side, as damping ratio. */
export function zetaFromPeaks(first: number, second: number): number {
  return zetaFromLostPerCycle(1 - Math.abs(second) / Math.abs(first));
}

// Numbers for people: few digits, SI prefixes, a true minus sign, no "1e-05".

const prefixes: [number, string][] = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
  [1e-3, 'm'],
  [1e-6, 'µ'],
  [1e-9, 'n'],
];

export function digits(value: number, count = 3): string {
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '–' : value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  let text: string;
  if (size >= 10 ** Math.max(count, 5) || size < 1e-4) {
    const [mantissa, exponent] = value.toExponential(count - 1).split('e');
    text = `${trim(mantissa)}·10${superscript(Number(exponent))}`;
  } else {
    text = trim(size >= 10 ** (count - 1) ? value.toFixed(0) : value.toPrecision(count));
  }
  return text.replace(/^-/, '−');
}

function trim(text: string): string {
  return text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : text;
}

export function superscript(value: number): string {
  const map = '⁰¹²³⁴⁵⁶⁷⁸⁹';
  return String(value)
    .split('')
    .map((c) => (c === '-' ? '⁻' : map[Number(c)]))
    .join('');
}

/** "12.3 mm": the value in SI with the prefix that reads best. Units with an exponent or a fraction keep their size. */
export function quantity(value: number | null | undefined, unit: string, count = 3): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (value === 0 || !Number.isFinite(value)) return `${digits(value)} ${unit}`.trim();
  if (unit === '' || unit === '1') return digits(value, count);
  if (!/^(m|s|J|N|Pa|Hz|W|N\/m|N s|Pa s|m\/s)$/.test(unit)) return `${digits(value, count)} ${unit}`;
  const size = Math.abs(value);
  for (const [factor, prefix] of prefixes) {
    if (size >= factor * 0.9995 && !(unit === 's' && factor > 1)) return `${digits(value / factor, count)} ${prefix}${unit}`;
  }
  return `${digits(value, count)} ${unit}`;
}

export function percent(share: number | null | undefined, count = 3): string {
  return share === null || share === undefined || Number.isNaN(share) ? '–' : `${digits(share * 100, count)} %`;
}

/** A number as written into a field that is read back: plain digits, point, at most `count` of them. */
export function plain(value: number, count = 6): string {
  if (!Number.isFinite(value)) return '';
  return String(Number(value.toPrecision(count)));
}

/** Reads what people type: decimal comma, trailing percent sign, surrounding blanks. NaN where it is no number. */
export function parseNumber(text: string): number {
  const trimmed = text.trim().replace(',', '.').replace('−', '-');
  if (trimmed === '') return NaN;
  if (/%$/.test(trimmed)) return Number(trimmed.slice(0, -1).trim()) / 100;
  return Number(trimmed);
}

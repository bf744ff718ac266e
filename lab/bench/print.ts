import type { JudgedFigure, Spread, Target } from './figures.ts'

/** A figure in one line: ours, the limit, the ratio beside its target. */
export function lineOf({ name, unit, ours, limit, ratio, target, missed }: JudgedFigure): string {
  const verdict = target === undefined ? '' : missed ? 'MISSED' : 'met'
  const parts = [
    name,
    spreadText(ours, unit),
    limit === undefined ? '' : `limit ${spreadText(limit, unit)}`,
    ratio === undefined ? '' : `ratio ${spreadText(ratio)}`,
    target === undefined ? '' : targetText(target, ratio === undefined ? unit : ''),
    verdict,
  ]
  return parts.filter((part) => part !== '').join('  ')
}

export function spreadText({ median, min, max }: Spread, unit = ''): string {
  return `${numberText(median)}${unit && ` ${unit}`} [${numberText(min)} … ${numberText(max)}]`
}

export function targetText(target: Target, unit = ''): string {
  const text = 'atMost' in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`
  return unit === '' ? text : `${text} ${unit}`
}

/** With as many digits as mean something. */
function numberText(number: number): string {
  const digits = Math.abs(number) >= 100 ? 0 : Math.abs(number) >= 10 ? 1 : Math.abs(number) >= 0.1 ? 2 : 3
  return number.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

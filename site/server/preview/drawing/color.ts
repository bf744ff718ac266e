/** A color between two, e.g. of `#6a3460` and `#ffffff`. `share` is how much of the second one. */
export function mix(one: string, other: string, share: number): string {
  const [first, second] = [partsOf(one), partsOf(other)]
  const mixed = first.map((part, index) => Math.round(part + ((second[index] ?? 0) - part) * share))
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function partsOf(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
}

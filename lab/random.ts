/** An integer from 0 to the limit, without the limit. */
export function below(limit: number): number {
  return Math.floor(Math.random() * limit)
}

export function chance(probability: number): boolean {
  return Math.random() < probability
}

export function pick<Item>(items: readonly Item[]): Item {
  return items[below(items.length)] as Item
}

/** The fields of `given` that are not as in `known`. */
export function differing<Fields extends object>(given: Fields, known: object): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => Reflect.get(known, name) !== value),
  ) as Partial<Fields>
}

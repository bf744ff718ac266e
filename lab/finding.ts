/** The ways in which a promise can be broken. */
export const kinds = ['lost', 'half-written', 'double', 'foreign', 'damaged', 'bad copy', 'failure'] as const
type Kind = (typeof kinds)[number]

export type Finding = { kind: Kind; text: string }

export function finding(kind: Kind, text: string): Finding {
  return { kind, text }
}

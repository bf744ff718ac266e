import type { FieldError } from '#db/errors.ts'

/** The messages that are left when a family member goes: his own go too, those behind him move up. */
export function withoutMember(errors: FieldError[], removed: number): FieldError[] {
  return errors.flatMap((error) => {
    const [, position, field] = /^familyMembers\.(\d+)\.(.+)$/.exec(error.path) ?? []
    // That there were too many is not said of those who are left.
    if (error.path === 'familyMembers') return []
    if (position === undefined || Number(position) < removed) return [error]
    return Number(position) === removed ? [] : [{ ...error, path: `familyMembers.${Number(position) - 1}.${field}` }]
  })
}

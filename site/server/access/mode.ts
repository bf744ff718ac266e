import { isGuarded } from '#db/access/setup.ts'
import { sharedLookup } from './shared-lookup.ts'

export type Mode = ReturnType<typeof followMode>

/** Follows whether there is an administrator. A guarded site stays guarded until it restarts, even if its database changes. */
export function followMode(guardedAtStart: boolean) {
  let guarded = guardedAtStart
  const refresh = sharedLookup(lookUp, performance.now())

  async function lookUp(): Promise<void> {
    if (await isGuarded()) guarded = true
  }

  return {
    /** Whether there certainly is one. Does not read the database. */
    isKnownGuarded: () => guarded,
    /** Whether the site is open. A result older than `maximumAge` ms is looked up again, unless that takes too long. */
    async isOpen(maximumAge: number): Promise<boolean> {
      if (!guarded) await refresh(maximumAge)
      return !guarded
    },
    /**
     * Whether the site is open right now: for calls that give access to personal data.
     * @throws UserError 'busy' or 'unavailable' if the database cannot tell.
     */
    async isStillOpen(): Promise<boolean> {
      // Not a lookup in progress, which may have begun before the site was guarded.
      if (!guarded) await lookUp()
      return !guarded
    },
  }
}

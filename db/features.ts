import { db, transaction } from '#db/storage/client.ts'
import { featureFlags } from '#db/tables/invitation.ts'
import { type Features, featureChange, featureNames, features } from '#db/values/features.ts'
import { audit } from './audit.ts'
import { type Call, parseInput } from './call.ts'

export async function getFeatures() {
  return toFeatures(await flags.all())
}

const flags = db.select().from(featureFlags).prepare()

export async function changeFeatures(input: unknown, call: Call) {
  const change = parseInput(featureChange, input)
  const rows = featureNames.flatMap((name) => {
    const enabled = change[name]
    return enabled === undefined ? [] : [{ name, enabled }]
  })
  const texts = rows.map(({ name, enabled }) => `${name}=${enabled ? 'on' : 'off'}`)
  return transaction(async (tx) => {
    for (const row of rows)
      await tx.insert(featureFlags).values(row).onConflictDoUpdate({ target: featureFlags.name, set: row })
    await audit(tx, call, 'features changed', texts.join(' '))
    return toFeatures(await tx.select().from(featureFlags))
  })
}

function toFeatures(flags: (typeof featureFlags.$inferSelect)[]): Features {
  return features.parse(Object.fromEntries(flags.map((flag) => [flag.name, flag.enabled])))
}

import { openDatabase, closeDatabase, db } from '/work/main/db/client.ts'
import { createRsvp, listRsvps, countRsvps, deleteRsvp } from '/work/main/db/rsvp/operations.ts'
import { getEvent, changeEvent } from '/work/main/db/event/operations.ts'
import { changeFeatures, getFeatures } from '/work/main/db/feature/operations.ts'
import { listVolunteerRoles } from '/work/main/db/volunteer-role/operations.ts'
import { defaultEvent, toPayload } from '/work/main/db/event/schema.ts'
const url = process.argv[2] ?? 'file:/tmp/try/rsvp.db'
await openDatabase(url)
const call = { now: new Date(), administrator: true, idempotencyKey: 'k' + Math.random() }
console.log(await getEvent(undefined, call), await changeEvent(toPayload(defaultEvent), call), await changeEvent({...toPayload(defaultEvent), eventTitle: undefined, title: ''}, call))
console.log(await changeEvent(toPayload(defaultEvent), {...call, onlyIfNone: true}).catch(e => e.message))
console.log(await getFeatures(undefined, call), await changeFeatures({ familyRsvp: true }, call), await listVolunteerRoles(undefined, call))
const r = { name: 'Ana Cole', email: 'a@b.co', phone: '', attending: true, familyMembers: [{ name: 'Joel Cole', age: 'child' }, { name: 'Dina', age: '', attending: false }], volunteerRoles: [2, 3, 2] }
console.log(await createRsvp(r, call), await createRsvp(r, {...call, now: new Date(Date.now()+5)}), await createRsvp({ ...r, email: 'x' }, call).catch((e) => e.fields))
console.log(await listRsvps({ limit: 2 }, call), await listRsvps({}, { ...call, administrator: false }), await countRsvps({}, call))
await Promise.all(Array.from({length:100},(_, i) => createRsvp(r, {...call, idempotencyKey: 'k'+i+Math.random()})))
console.log(await countRsvps({}, call))
console.log(await deleteRsvp({ id: '1' }, call), await deleteRsvp({ id: '1' }, call).catch(e=>e.message))
await db.insert({} as never).values({}).catch?.((e: Error) => console.log(e.message))
await closeDatabase()

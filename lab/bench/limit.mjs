// The limits: raw node:http servers that do what the site does, and nothing else. `node limit.mjs reply URL` sends the
// bytes that a browser gets from there, `rsvp FILE` stores an RSVP in a commit of its own, durable before the reply,
// `list FILE` replies with all RSVPs, whose JSON SQLite makes in one statement. Plain JavaScript, like the build.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

const LIST = `
  SELECT json_group_array(json(object)) AS list FROM (
    SELECT json_object(
      'id', id, 'name', name, 'email', email, 'phone', phone, 'message', message,
      'attending', json(iif(attending, 'true', 'false')),
      'familyMembers', (
        SELECT json_group_array(json_object('name', name, 'age', age, 'attending', json(iif(attending, 'true', 'false'))))
        FROM (SELECT * FROM family_members WHERE rsvp_id = rsvps.id ORDER BY position)),
      'volunteerSignups', (
        SELECT json_group_array(json_object('role', json_object('id', id, 'name', name)))
        FROM (SELECT volunteer_roles.id, volunteer_roles.name FROM volunteer_signups
          JOIN volunteer_roles ON volunteer_roles.id = role_id WHERE rsvp_id = rsvps.id ORDER BY volunteer_roles.id)),
      'addToCalendar', json(iif(add_to_calendar, 'true', 'false')), 'calendarType', calendar_type,
      'createdAt', created_at, 'deletedAt', deleted_at, 'suspicion', suspicion,
      'serviceDate', service_date, 'changedAt', changed_at, 'mergedInto', merged_into,
      'standing', json(iif(standing_id IS NULL, 'false', 'true')), 'firstVisit', json(iif(first_visit, 'true', 'false')),
      'remind', json(iif(remind, 'true', 'false'))) AS object
    FROM rsvps WHERE deleted_at IS NULL ORDER BY id DESC)`

const [kind, from = ''] = process.argv.slice(2)
const answer = await { reply: sendSame, rsvp: storeEach, list: listAll }[kind]()
const server = createServer(answer).listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))

async function sendSame() {
  const compressed = { 'accept-encoding': 'gzip, deflate, br, zstd' }
  const [recorded] = await once(get(from, { agent: false, headers: compressed }), 'response')
  const body = Buffer.concat(await recorded.toArray())
  const { date, connection, 'keep-alive': kept, 'transfer-encoding': chunked, ...headers } = recorded.headers
  return (_request, reply) => reply.writeHead(200, { ...headers, 'content-length': body.length }).end(body)
}

function listAll() {
  const list = new DatabaseSync(from, { readOnly: true }).prepare(LIST)
  return (_request, reply) => sendJson(reply, 200, String(list.get()?.list))
}

function storeEach() {
  const database = new DatabaseSync(from)
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON')
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const insertRsvp = database.prepare(`
    INSERT INTO rsvps (key, name, email, phone, message, attending, created_at, service_date, link_hash, add_to_calendar)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`)
  const insertMember = database.prepare(
    'INSERT INTO family_members (rsvp_id, position, name, age, attending) VALUES (?, ?, ?, ?, ?)',
  )
  const insertSignup = database.prepare('INSERT INTO volunteer_signups (rsvp_id, role_id) VALUES (?, ?)')
  return async (request, reply) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    const { name, email, phone, message, attending, familyMembers, volunteerRoles } = JSON.parse(body)
    begin.run()
    const now = new Date().toISOString()
    const secret = randomBytes(16).toString('base64url')
    const who = [randomUUID(), name, email, phone, message, attending ? 1 : 0]
    const hash = createHash('sha256').update(secret).digest('base64url')
    const { lastInsertRowid } = insertRsvp.run(...who, now, now.slice(0, 10), hash)
    for (const [position, member] of familyMembers.entries())
      insertMember.run(lastInsertRowid, position, member.name, member.age, member.attending ? 1 : 0)
    for (const role of volunteerRoles) insertSignup.run(lastInsertRowid, role)
    commit.run()
    sendJson(reply, 201, JSON.stringify({ id: Number(lastInsertRowid), link: `http://127.0.0.1/answer?key=${secret}` }))
  }
}

function sendJson(reply, status, text) {
  const content = Buffer.from(text)
  reply.writeHead(status, { 'content-type': 'application/json', 'content-length': content.length }).end(content)
}

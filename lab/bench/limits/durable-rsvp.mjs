// A raw node:http server that stores RSVPs, each in a commit of its own, durable before the reply: `node durable-rsvp.mjs
// FILE`. The file holds the tables of the site. It checks and escapes nothing.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

const database = new DatabaseSync(process.argv[2] ?? '')
database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON')
const begin = database.prepare('BEGIN IMMEDIATE')
const commit = database.prepare('COMMIT')
const insertRsvp = database.prepare(`
  INSERT INTO rsvps (key, name, email, phone, message, attending, add_to_calendar, created_at, service_date, link_hash,
    public_name)
  VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, 'Ana C.')`)
const insertMember = database.prepare(
  'INSERT INTO family_members (rsvp_id, position, name, age, attending) VALUES (?, ?, ?, ?, ?)',
)
const insertSignup = database.prepare('INSERT INTO volunteer_signups (rsvp_id, role_id) VALUES (?, ?)')

const server = createServer(async (request, reply) => {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  const content = JSON.stringify(store(JSON.parse(body)))
  reply.writeHead(201, { 'content-type': 'application/json', 'content-length': content.length }).end(content)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))

function store({ name, email, phone, message, attending, familyMembers, volunteerRoles }) {
  begin.run()
  const now = new Date().toISOString()
  const secret = randomBytes(16).toString('base64url')
  const who = [randomUUID(), name, email, phone, message, attending ? 1 : 0]
  const hash = createHash('sha256').update(secret).digest('base64url')
  const { lastInsertRowid } = insertRsvp.run(...who, now, now.slice(0, 10), hash)
  for (const [position, member] of familyMembers.entries()) {
    insertMember.run(lastInsertRowid, position, member.name, member.age, member.attending ? 1 : 0)
  }
  for (const role of volunteerRoles) insertSignup.run(lastInsertRowid, role)
  commit.run()
  return { id: Number(lastInsertRowid), link: `http://127.0.0.1/answer?key=${secret}` }
}

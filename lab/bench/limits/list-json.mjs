// A raw node:http server that replies with all RSVPs, whose JSON SQLite makes in one statement: `node list-json.mjs FILE`.
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

const database = new DatabaseSync(process.argv[2] ?? '', { readOnly: true })
const list = database.prepare(`
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
      'serviceDate', service_date, 'changedAt', changed_at) AS object
    FROM rsvps WHERE deleted_at IS NULL ORDER BY id DESC)`)

const server = createServer((_request, reply) => {
  const content = Buffer.from(String(list.get()?.list))
  reply.writeHead(200, { 'content-type': 'application/json', 'content-length': content.length }).end(content)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))

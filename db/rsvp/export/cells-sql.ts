import { type Column, type SQL, sql } from 'drizzle-orm'
import { ageGroups } from '#db/rsvp/family-member.ts'
import { calendarText, type FieldName, fieldsIn, LIST_SEPARATOR, memberText } from '#db/rsvp/fields.ts'
import { calendarTypes } from '#db/rsvp/schema.ts'
import { familyMembers, rsvps, volunteerSignups } from '#db/rsvp/table.ts'
import { statusText } from '#db/rsvp/texts.ts'
import { fixedSql } from '#db/storage/fixed-sql.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import { CELL_END, ROW_END } from './cell-bytes.ts'

// What `cellsOf` makes of a response, made by SQLite: reading a response as an object and making its texts here takes
// several times as long. Every word comes from the functions that `cellsOf` calls; a test compares all of them.

const members = sql`(SELECT group_concat(member.name || ${caseOf(memberRemarks(), sql`''`)}, ${LIST_SEPARATOR})
  FROM (SELECT * FROM ${familyMembers} WHERE rsvp_id = ${rsvps}.id ORDER BY position) AS member)`

const roles = sql`(SELECT group_concat(role.name, ${LIST_SEPARATOR})
  FROM (SELECT offered.name FROM ${volunteerSignups} AS signup
    JOIN ${volunteerRoles} AS offered ON offered.id = signup.role_id
    WHERE signup.rsvp_id = ${rsvps}.id ORDER BY offered.id) AS role)`

const calendar = caseOf(
  calendarTypes.map((calendarType) => [sql`${rsvps.calendarType} = ${calendarType}`, calendarText({ calendarType })]),
  rsvps.calendarType,
)

/** Texts of fields that are not the text of their column. */
const texts: Partial<Record<FieldName, SQL>> = {
  id: sql`CAST(${rsvps.id} AS TEXT)`,
  attending: sql`iif(${rsvps.attending}, ${statusText({ attending: true })}, ${statusText({ attending: false })})`,
  familyMembers: members,
  volunteerSignups: roles,
  calendarType: calendar,
}

/** The texts of the cells of a response, with the ends of `cell-bytes.ts`. */
export const everyCell = fixedSql(
  () =>
    sql<string>`${sql.join(
      fieldsIn('csv').map(({ name }) => sql`coalesce(${texts[name] ?? columnOf(name)}, '')`),
      sql` || ${blobOf(CELL_END)} || `,
    )} || ${blobOf(ROW_END)}`,
)

/** What stands behind the name of a family member, by age group and attendance; the most frequent first. */
function memberRemarks(): [SQL, string][] {
  return [true, false].flatMap((attending) =>
    [null, ...ageGroups].map((age): [SQL, string] => [
      sql`member.age IS ${age} AND member.attending = ${Number(attending)}`,
      memberText({ name: '', age, attending }),
    ]),
  )
}

/** `otherwise` is for values that only another program can have stored: a file keeps what it can say of them. */
function caseOf(cases: [SQL, string][], otherwise: SQL | Column): SQL {
  const branches = cases.map(([condition, text]) => sql`WHEN ${condition} THEN ${text}`)
  return sql`CASE ${sql.join(branches, sql` `)} ELSE ${otherwise} END`
}

function blobOf(byte: number): SQL {
  return sql.raw(`X'${byte.toString(16)}'`)
}

function columnOf(name: FieldName) {
  if (name === 'familyMembers' || name === 'volunteerSignups') throw new Error(`${name} has no column.`)
  return rsvps[name]
}

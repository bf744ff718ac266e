import { fieldsIn, type ShownField } from '#db/rsvp/fields.ts'

const columns = fieldsIn('administration')
const columnsOfOneWeek = columns.filter(({ name }) => name !== 'serviceDate')

/** The columns of the administration's table, on the screen and on paper: of one week all rows have the same service. */
export function tableColumns(severalWeeks: boolean): ShownField[] {
  return severalWeeks ? columns : columnsOfOneWeek
}

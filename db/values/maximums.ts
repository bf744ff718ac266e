/** Apart from the schema: the form shows it before the schema has loaded. */
export const FAMILY_MEMBERS_MAXIMUM = 20

/** In UTF-16 code units. Apart from the schema: the form shows it before the schema has loaded. */
export const MESSAGE_MAXIMUM = 2000

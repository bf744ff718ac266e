/**
 * To visitors: the confirmation of an RSVP, the link that they have lost, the reminder of a service, and the question
 * whether they still come every week. To administrators: the sheet of a service, what came in a day, a prayer request.
 */
export const mailKinds = ['confirmation', 'link', 'reminder', 'still-coming', 'sheet', 'digest', 'prayer'] as const
export type MailKind = (typeof mailKinds)[number]

/** What an administrator can choose to get by mail. */
export const mailChoices = ['sheet', 'digest', 'prayers'] as const
export type MailChoice = (typeof mailChoices)[number]

/** What stays beside a form that could not be sent when the notice has gone. */
export const NOT_SENT = 'Not sent yet. Everything you typed is still here: please submit it again.'

/** The page that invites whoever passes by, to print. */
export const POSTER = '/admin/poster'

/** Whether nothing can be edited: on a share view, a whole segment of the path is `share`, so `/shared` is not one. */
export function isShareView(pathname: string): boolean {
  return pathname.split('/').includes('share')
}

/** How many responses a share view shows (specification, section 9). */
export const LATEST_RSVPS = 5

/** How many the main page shows at a time; a link leads to the older ones. */
export const LISTED_RSVPS = 100

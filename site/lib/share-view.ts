/** On a share view nothing can be edited: a whole segment of the path is `share`, so `/shared` is none. */
export function isShareView(pathname: string): boolean {
  return pathname.split('/').includes('share')
}

/** How many answers a share view shows (specification, section 9). */
export const LATEST_RSVPS = 5

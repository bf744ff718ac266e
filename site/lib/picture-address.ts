/** Of one size of the church's picture. What is there never changes. */
export function pictureAddress(hash: string, width: number): string {
  return `/church/picture/${hash}-${width}.jpg`
}

/** What comes in time on a slow line, and through a proxy that lets one megabyte pass. */
const BYTES_SENT = 900_000
/** More than is kept of it. */
const SIDE_SENT = 2000
const QUALITY = 0.85
/** What the server reads. A browser may know more, e.g. what iPhones store. */
const READ_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif']

/** The picture to send: as it is where it is small, otherwise drawn once more as JPEG. The server says what it cannot read. */
export async function smallerPicture(file: Blob): Promise<Blob> {
  if (file.size <= BYTES_SENT && READ_TYPES.includes(file.type)) return file
  return (await drawn(file).catch(() => null)) ?? file
}

async function drawn(file: Blob): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, SIDE_SENT / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.round(bitmap.height * scale)
  const context = canvas.getContext('2d')
  if (context === null) return null
  // A JPEG would be black where the picture can be seen through.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
}

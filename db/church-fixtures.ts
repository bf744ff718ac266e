import sharp from 'sharp'

/** A picture with a blue upper half and a yellow lower half. */
export async function testPicture({
  width = 1000,
  height = 600,
  format = 'jpeg',
  noise = false,
}: {
  width?: number
  height?: number
  format?: 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'
  /** Makes the lower half noisy, and so the file large. */
  noise?: boolean
} = {}): Promise<Buffer> {
  const blue = { create: { width, height: Math.ceil(height / 2), channels: 3, background: '#2b5d9a' } } as const
  const plain = { width, height, channels: 3, background: '#c9a227' } as const
  const picture = sharp({ create: noise ? { ...plain, noise: { type: 'gaussian', mean: 128, sigma: 60 } } : plain })
  return picture
    .composite([{ input: blue, top: 0, left: 0 }])
    .toFormat(format)
    .toBuffer()
}

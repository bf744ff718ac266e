/** A line drawing in the color of its text. Decorative, so it needs text beside it. */
export function Icon({ shape, className }: { shape: string; className?: string }) {
  return (
    <svg
      className={className ? `icon ${className}` : 'icon'}
      viewBox="0 0 24 24"
      width="24"
      height="24"
      aria-hidden="true"
      focusable="false"
    >
      <path d={shape} />
    </svg>
  )
}

// Paths on a grid of 24 pixels.

export const calendar =
  'M6.5 5h11a3 3 0 0 1 3 3v9.5a3 3 0 0 1-3 3h-11a3 3 0 0 1-3-3V8a3 3 0 0 1 3-3ZM3.5 10h17M8 2.8v4M16 2.8v4M8 14h.01M12 14h.01M16 14h.01M8 17h.01M12 17h.01'
export const clock = 'M12 3.3a8.7 8.7 0 1 0 0 17.4a8.7 8.7 0 1 0 0-17.4ZM12 7v5.2l3.4 2'
export const pin =
  'M12 21.3c4.6-4.3 7-7.9 7-11.1a7 7 0 0 0-14 0c0 3.2 2.4 6.8 7 11.1ZM12 7.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5Z'
export const check = 'm5 12.6 4.6 4.6L19.2 7.2'
export const cross = 'm6.5 6.5 11 11m0-11-11 11'
export const mail = 'M6 5h12a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V8a3 3 0 0 1 3-3ZM4 7.5l8 6 8-6'
export const chat = 'M3.5 20.5l1.3-4.3a8.5 8.5 0 1 1 3.2 3.1ZM8.5 10.5h7M8.5 13.7h4.5'
export const share =
  'M12 15V3.5m0 0L8 7.5m4-4 4 4M7.5 11H6a2 2 0 0 0-2 2v5.5a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V13a2 2 0 0 0-2-2h-1.5'
export const globe =
  'M12 3.3a8.7 8.7 0 1 0 0 17.4a8.7 8.7 0 1 0 0-17.4ZM3.5 12h17M12 3.3c-5 5-5 12.4 0 17.4M12 3.3c5 5 5 12.4 0 17.4'
export const pencil = 'm4 20 .9-4.3L16.3 4.3a2 2 0 0 1 2.9 0l.5.5a2 2 0 0 1 0 2.9L8.3 19.1ZM14.3 6.4l3.3 3.3'
export const plus = 'M12 5v14M5 12h14'
export const trash =
  'M4 6.5h16M9 6.5V5a1.5 1.5 0 0 1 1.5-1.5h3A1.5 1.5 0 0 1 15 5v1.5M6 6.5l.8 12a2 2 0 0 0 2 1.9h6.4a2 2 0 0 0 2-1.9l.8-12M10 10.5v6M14 10.5v6'
export const users =
  'M9 4.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7ZM2.5 20c.3-3.6 2.9-6 6.5-6s6.2 2.4 6.5 6M15.5 4.8a3.5 3.5 0 0 1 0 6.4M18 14.5c2.1.8 3.3 2.7 3.5 5.5'
export const warning =
  'M10.3 4.3 2.9 17.2a2 2 0 0 0 1.7 3h14.8a2 2 0 0 0 1.7-3L13.7 4.3a2 2 0 0 0-3.4 0ZM12 9.5v4M12 16.8h.01'
export const download = 'M12 3.5v12m0 0 4.5-4.5M12 15.5 7.5 11M4 17.5v1a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-1'
export const copy =
  'M11 8.5h7a2.5 2.5 0 0 1 2.5 2.5v7a2.5 2.5 0 0 1-2.5 2.5h-7a2.5 2.5 0 0 1-2.5-2.5v-7a2.5 2.5 0 0 1 2.5-2.5ZM15.5 8.5V6A2.5 2.5 0 0 0 13 3.5H6A2.5 2.5 0 0 0 3.5 6v7A2.5 2.5 0 0 0 6 15.5h2.5'

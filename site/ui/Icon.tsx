import type { ReactNode } from 'react'

export type IconName = keyof typeof shapes

/** A line drawing on a 24 px grid, in the color of its text. Always decorative: there is text beside it. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg
      className={className ? `icon ${className}` : 'icon'}
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {shapes[name]}
    </svg>
  )
}

const shapes = {
  calendar: (
    <>
      <rect x="3.5" y="5" width="17" height="15.5" rx="3" />
      <path d="M3.5 10h17M8 2.8v4M16 2.8v4M8 14h.01M12 14h.01M16 14h.01M8 17h.01M12 17h.01" />
    </>
  ),
  clock: (
    <>
      <circle cx="12" cy="12" r="8.7" />
      <path d="M12 7v5.2l3.4 2" />
    </>
  ),
  pin: (
    <>
      <path d="M12 21.3c4.6-4.3 7-7.9 7-11.1a7 7 0 0 0-14 0c0 3.2 2.4 6.8 7 11.1Z" />
      <circle cx="12" cy="10" r="2.5" />
    </>
  ),
  check: <path d="m5 12.6 4.6 4.6L19.2 7.2" />,
  cross: <path d="m6.5 6.5 11 11m0-11-11 11" />,
  mail: (
    <>
      <rect x="3" y="5" width="18" height="14" rx="3" />
      <path d="m4 7.5 8 6 8-6" />
    </>
  ),
  chat: (
    <>
      <path d="M3.5 20.5l1.3-4.3a8.5 8.5 0 1 1 3.2 3.1Z" />
      <path d="M8.5 10.5h7M8.5 13.7h4.5" />
    </>
  ),
  pencil: <path d="m4 20 .9-4.3L16.3 4.3a2 2 0 0 1 2.9 0l.5.5a2 2 0 0 1 0 2.9L8.3 19.1ZM14.3 6.4l3.3 3.3" />,
  plus: <path d="M12 5v14M5 12h14" />,
  trash: (
    <path d="M4 6.5h16M9 6.5V5a1.5 1.5 0 0 1 1.5-1.5h3A1.5 1.5 0 0 1 15 5v1.5M6 6.5l.8 12a2 2 0 0 0 2 1.9h6.4a2 2 0 0 0 2-1.9l.8-12M10 10.5v6M14 10.5v6" />
  ),
  download: <path d="M12 3.5v12m0 0 4.5-4.5M12 15.5 7.5 11M4 17.5v1a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-1" />,
  copy: (
    <>
      <rect x="8.5" y="8.5" width="12" height="12" rx="2.5" />
      <path d="M15.5 8.5V6A2.5 2.5 0 0 0 13 3.5H6A2.5 2.5 0 0 0 3.5 6v7A2.5 2.5 0 0 0 6 15.5h2.5" />
    </>
  ),
  users: (
    <>
      <circle cx="9" cy="8" r="3.5" />
      <path d="M2.5 20c.3-3.6 2.9-6 6.5-6s6.2 2.4 6.5 6M15.5 4.8a3.5 3.5 0 0 1 0 6.4M18 14.5c2.1.8 3.3 2.7 3.5 5.5" />
    </>
  ),
  warning: (
    <>
      <path d="M10.3 4.3 2.9 17.2a2 2 0 0 0 1.7 3h14.8a2 2 0 0 0 1.7-3L13.7 4.3a2 2 0 0 0-3.4 0Z" />
      <path d="M12 9.5v4M12 16.8h.01" />
    </>
  ),
} satisfies Record<string, ReactNode>

/** A line drawing in the color of its text. Always decorative: there is text beside it. */
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

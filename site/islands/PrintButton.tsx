import { Button } from '#site/ui/Button.tsx'

/** Opens the browser's own print, which also makes PDFs: on a phone it is deep in a menu. */
export function PrintButton() {
  return (
    <Button className="needs-script" onClick={() => window.print()}>
      Print or save as PDF
    </Button>
  )
}

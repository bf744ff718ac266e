import { Icon } from './Icon.tsx'
import { check, cross } from './icons.ts'

/** A number and what it counts; a dash while it is unknown. */
export function Count({ tone, label, value }: { tone: 'yes' | 'no'; label: string; value: number | undefined }) {
  return (
    <div className={`count count--${tone}`}>
      <span className="count__label">
        <Icon shape={tone === 'yes' ? check : cross} />
        {label}
      </span>
      <span className="count__value">{value ?? '–'}</span>
    </div>
  )
}

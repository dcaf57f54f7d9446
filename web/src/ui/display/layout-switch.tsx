import { IconLayoutGrid, IconTable } from '@tabler/icons-react'
import css from './layout-switch.module.css'

export type ListLayout = 'cards' | 'table'

const choices = [
  { value: 'cards', label: 'Cards', Icon: IconLayoutGrid },
  { value: 'table', label: 'Table', Icon: IconTable },
] as const

/** Shows a list as cards or as a table. */
export function LayoutSwitch({ layout, onChange }: { layout: ListLayout; onChange: (layout: ListLayout) => void }) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- two buttons in a row, not form fields.
    <div className={css.layouts} role="group" aria-label="Show as">
      {choices.map(({ value, label, Icon }) => (
        <button
          key={value}
          type="button"
          className={css.layout}
          aria-pressed={layout === value}
          aria-label={label}
          title={label}
          onClick={() => onChange(value)}
        >
          <Icon size={18} stroke={1.75} />
        </button>
      ))}
    </div>
  )
}

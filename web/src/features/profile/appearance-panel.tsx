import { type MantineColorScheme, NativeSelect } from '@mantine/core'
import { Panel } from '../../ui/layout/panel.tsx'
import { useTheme } from '../../ui/theme/use-theme.ts'
import css from './profile.module.css'

const themes: { value: MantineColorScheme; label: string }[] = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function AppearancePanel() {
  const { theme, choose } = useTheme()
  return (
    <Panel title="Appearance">
      <NativeSelect
        className={css.theme ?? ''}
        label="Theme"
        description="For this browser."
        data={themes}
        value={theme}
        onChange={(event) => choose(event.currentTarget.value as MantineColorScheme)}
      />
    </Panel>
  )
}

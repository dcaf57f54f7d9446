import { NativeSelect, type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { Panel } from '../../ui/panel.tsx'
import css from './profile.module.css'

const themes: { value: MantineColorScheme; label: string }[] = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function AppearancePanel() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Panel title="Appearance">
      <NativeSelect
        className={css.theme ?? ''}
        label="Theme"
        description="For this browser."
        data={themes}
        value={colorScheme}
        onChange={(event) => setColorScheme(event.currentTarget.value as MantineColorScheme)}
      />
    </Panel>
  )
}

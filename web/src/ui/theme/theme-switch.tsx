import { ActionIcon, type MantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { MenuButton } from '../overlays/menu-button.tsx'
import { useTheme } from './use-theme.ts'

const themes = [
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
  { value: 'auto', label: 'As the system', Icon: IconDeviceDesktop },
] as const satisfies readonly { value: MantineColorScheme; label: string; Icon: typeof IconSun }[]

export function ThemeSwitch() {
  const { theme, choose } = useTheme()
  const current = themes.find(({ value }) => value === theme) ?? themes[2]
  return (
    <MenuButton
      position="bottom-end"
      width={180}
      withinPortal={false}
      button={
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Theme: ${current.label.toLowerCase()}`}>
          <current.Icon size={18} stroke={1.75} />
        </ActionIcon>
      }
      items={themes.map(({ value, label, Icon }) => ({
        label,
        icon: <Icon stroke={1.75} />,
        isSelected: value === current.value,
        onSelect: () => choose(value),
      }))}
    />
  )
}

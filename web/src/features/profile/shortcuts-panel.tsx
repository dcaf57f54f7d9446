import { Switch } from '@mantine/core'
import { usePreferences, useSavePreferences } from '../../api/preferences.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { Panel } from '../../ui/layout/panel.tsx'

/** WCAG 2.1.4: speech recognition and slips of the hand trigger single keys, so they can be switched off. */
export function ShortcutsPanel() {
  const { KeyboardShortcuts } = usePreferences()
  const preferences = useSavePreferences()
  return (
    <Panel title="Keyboard shortcuts">
      <MutationError of={preferences} />
      <Switch
        label="Single-key shortcuts"
        description="Keys such as / and ?, while you are not typing. Shortcuts with Ctrl or ⌘ always work."
        checked={KeyboardShortcuts}
        onChange={(event) => preferences.save({ keyboardShortcuts: event.currentTarget.checked })}
      />
    </Panel>
  )
}

/** What a text without problems is used for: the settings of a call, a try, and the proofs. */
import type { CheckedWorkbenchDescription } from '@tributary/contract/workbench'
import { PlainSettingsField } from '../../domain/connectors/plain-settings-field.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import type { CheckedText } from './api.ts'
import { ProvePanel } from './prove-panel.tsx'
import { TryPanel } from './try-panel.tsx'
import { type EnteredSettings, useEnteredSettings } from './use-entered-settings.ts'
import css from './workbench.module.css'

interface ReadingPanelsProps {
  /** Null if nothing was checked yet. */
  readonly checked: CheckedText | null
  /** Whether the text is still the one that was checked. */
  readonly isCurrent: boolean
}

export function ReadingPanels({ checked, isCurrent }: ReadingPanelsProps) {
  if (checked === null || checked.found.Problems.length > 0)
    return (
      <Panel title="Try and prove">
        <p className="muted">Check a text without problems first. Then enter the settings of an account here.</p>
      </Panel>
    )
  return <UsablePanels checked={checked} isCurrent={isCurrent} />
}

function UsablePanels({ checked, isCurrent }: ReadingPanelsProps & { readonly checked: CheckedText }) {
  const settings = useEnteredSettings(checked.found)
  const shared = { text: checked.text, streams: checked.found.Streams, settings, isCurrent }
  return (
    <>
      <SettingsPanel found={checked.found} settings={settings} />
      <TryPanel {...shared} />
      <ProvePanel {...shared} />
    </>
  )
}

interface SettingsPanelProps {
  readonly found: CheckedWorkbenchDescription
  readonly settings: EnteredSettings
}

function SettingsPanel({ found: { Settings }, settings: { fields, form } }: SettingsPanelProps) {
  return (
    <Panel title="Settings of an account">
      <p className="muted">
        {Settings?.Help ??
          'Try and the live proofs use them. They are not stored: they are gone when you leave this page.'}
      </p>
      {fields.length === 0 ? <p>The description has no settings.</p> : null}
      <div className={css.settings}>
        {fields.map((field) => (
          <PlainSettingsField key={field.Key} name={field.Key} field={field} form={form} />
        ))}
      </div>
    </Panel>
  )
}

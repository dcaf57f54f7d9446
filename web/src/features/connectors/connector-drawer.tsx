/** Adding and editing a connector: one form, drawn from the type's sections. */
import type { ConnectorType } from '@tributary/contract/catalogue'
import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import { CallError, messageOf } from '../../api/call-error.ts'
import { useMay } from '../../api/workspace.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBanner } from '../../ui/error-banner.tsx'
import { TextField } from '../../ui/fields.tsx'
import { type Form, useForm, type Values } from '../../ui/form.ts'
import { CheckResults } from './check-results.tsx'
import css from './connectors.module.css'
import { ScheduleFields } from './schedule-fields.tsx'
import { SectionFields } from './section-fields.tsx'
import {
  fieldsOf,
  formValues,
  inputsOf,
  propertiesOf,
  rulesOf,
  sourceFields,
  targetFields,
  targetKind,
  targetSchema,
} from './settings-form.ts'
import { TargetSection } from './target-section.tsx'
import { useSaveConnector } from './use-save-connector.ts'

interface ConnectorDrawerProps {
  type: ConnectorType
  /** Null adds a new one. */
  connector: Connector | null
  initialName: string
  onClose: () => void
  onSaved: (connector: Connector, runId: string | null) => void
}

export function ConnectorDrawer({ type, connector, initialName, onClose, onSaved }: ConnectorDrawerProps) {
  const stored = connector === null ? {} : propertiesOf(connector)
  const form = useConnectorForm(type, { name: initialName, schedule: connector?.Schedule ?? '', ...formValues(type, stored) })
  const { save, check, dismiss } = useSaveConnector({ type, connector, onSaved })
  const failure = save.error ?? check.error

  function attempt(work: typeof save | typeof check) {
    if (!form.validate()) return
    const entered = {
      name: String(form.values['name']).trim(),
      schedule: String(form.values['schedule']).trim(),
      properties: inputsOf(type, form.values, stored['target.connectionString'] !== undefined),
    }
    work.mutate(entered, { onError: (error) => error instanceof CallError && form.fail(error.fields) })
  }

  return (
    <Dialog
      kind="drawer"
      title={connector === null ? `Add ${type.Title}` : `Edit ${connector.Name}`}
      subtitle={connector === null ? type.Needs : type.Title}
      isDirty={form.isDirty && !save.isPending}
      onClose={onClose}
      onSubmit={() => attempt(save)}
      footer={<DrawerButtons isChecking={check.isPending} isSaving={save.isPending} onCheck={() => attempt(check)} onCancel={onClose} />}
    >
      <ErrorBanner message={failure === null ? null : messageOf(failure)} onDismiss={dismiss} />
      <ConnectorFields type={type} connector={connector} form={form} />
      {check.data === undefined || check.isPending ? null : <CheckResults results={check.data} />}
    </Dialog>
  )
}

function ConnectorFields({ type, connector, form }: { type: ConnectorType; connector: Connector | null; form: Form }) {
  const may = useMay()
  return (
    <>
      {connector === null && type.Demo !== null ? <DemoFill type={type} form={form} /> : null}
      <TextField field={form.text('name')} label="Name" hasFocus help="How this connector is called here." isRequired />
      {type.Sections.map((section) => (
        <SectionFields key={section.Title} title={section.Title} help={section.Help} fields={fieldsOf(section)} form={form} />
      ))}
      <TargetSection type={type} form={form} />
      {may('editSchedule') ? <ScheduleFields form={form} connectorKey={connector?.Key ?? null} /> : null}
    </>
  )
}

interface DrawerButtonsProps {
  isChecking: boolean
  isSaving: boolean
  onCheck: () => void
  onCancel: () => void
}

function DrawerButtons({ isChecking, isSaving, onCheck, onCancel }: DrawerButtonsProps) {
  return (
    <>
      <Button variant="default" className={css.start} loading={isChecking} onClick={onCheck}>
        Test connection
      </Button>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={isSaving}>
        Save
      </Button>
    </>
  )
}

/** Which fields are required follows the target chosen, so the rules are made anew for what the form holds. */
function useConnectorForm(type: ConnectorType, initial: Values): Form {
  const rules: Record<string, { isOptional?: boolean }> = {
    schedule: { isOptional: true },
    [targetKind]: { isOptional: true },
    [targetSchema]: { isOptional: true },
  }
  return useForm(initial, (values) => ({ ...rules, ...rulesOf([...sourceFields(type), ...targetFields(type, values[targetKind])]) }))
}

function DemoFill({ type, form }: { type: ConnectorType; form: Form }) {
  return (
    <div className={css.demo}>
      <span>Trial: a simulated {type.Title} runs on this computer.</span>
      <Button variant="default" size="compact-md" onClick={() => form.set({ ...form.values, ...formValues(type, type.Demo ?? {}) })}>
        Fill with demo source
      </Button>
    </div>
  )
}

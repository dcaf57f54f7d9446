/** The fields of a connector in the order in which they are thought of: what it is called, where from, what, where to, when. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Connector } from '@tributary/contract/connectors'
import type { OfferedTable } from '@tributary/contract/streams'
import { Button } from '@mantine/core'
import { useMay } from '../../../api/session/workspace.ts'
import { TextField } from '../../../ui/forms/text-fields.tsx'
import type { Form } from '../../../ui/forms/form.ts'
import { Facts } from '../../../ui/layout/panel.tsx'
import { AuthorisationSection } from '../authorisation/authorisation-section.tsx'
import css from '../connectors.module.css'
import { PolicyFields } from './schema-change-policy.tsx'
import { ScheduleFields } from '../schedule/schedule-fields.tsx'
import { isShown, SectionFields } from './section-fields.tsx'
import { fieldsOf, formValues } from './settings-form.ts'
import { isTreeField } from '../tables/table-selection-fields.ts'
import { TablesSection } from '../tables/tables-section.tsx'
import { TargetSection } from './target-section.tsx'
import { type FirstField, withScope } from './use-connector-form.ts'

interface ConnectorFieldsProps {
  readonly type: ConnectorType
  readonly connector: Connector | null
  readonly form: Form
  readonly first: FirstField | undefined
  readonly tables: {
    readonly offered: readonly OfferedTable[] | null
    readonly isLooking: boolean
    readonly onLook: () => void
  }
}

export function ConnectorFields({ type, connector, form, first, tables }: ConnectorFieldsProps) {
  const may = useMay()
  return (
    <>
      {connector?.Status !== 'CONNECTED' && type.Demo !== null ? <DemoFill type={type} form={form} /> : null}
      <TextField
        field={form.text('name')}
        label="Name"
        hasFocus={first === undefined}
        help="How this connector is called here."
        isRequired
      />
      {connector !== null && may('seeConnectorKey') ? (
        <Facts facts={[{ label: 'Key', value: connector.Key, isCode: true }]} />
      ) : null}
      {type.RequiresAuthorisation && connector !== null ? <AuthorisationSection connector={connector} /> : null}
      {sectionsOf(type, form).map((section) => (
        <SectionFields
          key={section.Title}
          title={section.Title}
          help={section.Help}
          fields={fieldsOf(section).filter((field) => !isTreeField(field))}
          form={form}
          first={first}
        />
      ))}
      <TablesSection type={type} form={form} {...tables} />
      <TargetSection type={type} form={form} />
      <ScheduleFields form={form} mayEdit={may('editSchedule')} />
      <PolicyFields form={form} />
    </>
  )
}

/** Where people sign in at the source, a section that asks for nothing has nothing to say beside that. */
function sectionsOf(type: ConnectorType, form: Form): ConnectorType['Sections'] {
  if (!type.RequiresAuthorisation) return type.Sections
  return type.Sections.filter((section) => fieldsOf(section).some((field) => isShown(field, form)))
}

function DemoFill({ type, form }: { type: ConnectorType; form: Form }) {
  const fill = () => form.set({ ...form.values, ...withScope(type, formValues(type, type.Demo ?? {})) })
  return (
    <div className={css.demo}>
      <span>Trial: a simulated {type.Title} runs on this computer.</span>
      <Button variant="default" size="compact-md" onClick={fill}>
        Fill with demo source
      </Button>
    </div>
  )
}

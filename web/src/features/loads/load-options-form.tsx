/** A file that was read: what of it is loaded, and where to. */
import type { Use } from '@tributary/contract/assignments'
import type { Load, LoadTable } from '@tributary/contract/loads'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '@tributary/client/call-error'
import { useMay, useWorkspace } from '../../api/session/workspace.ts'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { ChoiceField } from '../../ui/forms/choice-fields.tsx'
import { type Form, useForm, type Values } from '../../ui/forms/form.ts'
import { Loaded } from '../../domain/requests/query-result.tsx'
import { Note } from '../../ui/feedback/callout.tsx'
import { Facts, Panel } from '../../ui/layout/panel.tsx'
import { loadTables, ownUse, type ReadFile, useBegin } from './api.ts'
import { asked, beginAsk, choicesOf, fieldOfPlane, rulesFor, tableGroups } from './load-options.ts'
import { DateQuestion } from './date-order-question.tsx'
import css from './loads.module.css'
import { NewColumns } from './new-columns.tsx'
import { Preview } from './sheet-preview.tsx'
import { TemplateButton } from './template-download-button.tsx'
import { likelyHeadingRow, type Plane, type SheetView, viewOf } from './sheet.ts'

interface ChoicesFormProps {
  file: ReadFile
  source: File
  /** With the answer to its question about dates. */
  onReadAgain: (file: ReadFile, chosen: Values) => void
  /** What was chosen before, where one comes back to it. */
  before: Values
  onBegun: (load: Load, chosen: Values) => void
  onOther: () => void
}

export function ChoicesForm(props: ChoicesFormProps) {
  const orgId = useWorkspace().organisation.Id
  const tables = useQuery(loadTables(orgId))
  const use = useQuery(ownUse(orgId))
  return (
    <Loaded query={tables}>
      {(known) => <Loaded query={use}>{(may) => <Choosing {...props} tables={known} use={may} />}</Loaded>}
    </Loaded>
  )
}

function Choosing({
  file,
  source,
  before,
  onBegun,
  onReadAgain,
  onOther,
  tables,
  use,
}: ChoicesFormProps & { tables: readonly LoadTable[]; use: Use }) {
  const picked = (values: Values) => pick(file, tables, values)
  const form = useForm(before, (values) => {
    const { view, table } = picked(values)
    const wanted = asked(view, table)
    return rulesFor(wanted, (plane) =>
      table === undefined ? [] : choicesOf(plane, use, table, areaOf(wanted, values)),
    )
  })
  const { sheet, view, table } = picked(form.values)
  const begin = useBegin((load) => onBegun(load, form.values))
  const planes = asked(view, table)

  function submit() {
    if (form.validate() && table !== undefined && view.problem === null)
      begin.mutate(beginAsk({ file, view, table, values: form.values }))
  }
  return (
    <form
      noValidate
      className={css.part}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <ErrorBanner message={begin.error === null ? null : messageOf(begin.error)} onDismiss={begin.reset} />
      <SheetPanel file={file} source={source} form={form} onReadAgain={onReadAgain} sheet={sheet} view={view} />
      <Panel title="Where it goes">
        <TableField form={form} tables={tables} />
        {table === undefined ? null : <TableFacts table={table} />}
        {table === undefined || planes.length === 0 ? null : (
          <PlaneFields form={form} planes={planes} use={use} table={table} />
        )}
      </Panel>
      {table === undefined || view.problem !== null ? null : (
        <NewColumns form={form} fileId={file.Id} view={view} table={table} />
      )}
      <div className={css.actions}>
        <Button type="submit" loading={begin.isPending} disabled={view.problem !== null || sheet.DateQuestion !== null}>
          Check
        </Button>
        <Button variant="default" onClick={onOther}>
          Choose another file
        </Button>
      </div>
    </form>
  )
}

interface SheetPanelProps extends Pick<ChoicesFormProps, 'file' | 'source' | 'onReadAgain'> {
  form: Form
  sheet: ReturnType<typeof pick>['sheet']
  view: SheetView
}

function SheetPanel({ file, source, form, sheet, view, onReadAgain }: SheetPanelProps) {
  return (
    <Panel title={file.Name}>
      <SheetFields file={file} form={form} />
      {sheet.Notice === null ? null : <Note tone="info">{sheet.Notice}</Note>}
      {sheet.DateQuestion === null ? null : (
        <DateQuestion source={source} example={sheet.DateQuestion} onRead={(read) => onReadAgain(read, form.values)} />
      )}
      <Preview view={view} rows={sheet.Rows - Number(form.values['headingRow'])} />
    </Panel>
  )
}

function pick(file: ReadFile, tables: readonly LoadTable[], values: Values) {
  const sheet = file.Sheets.find(({ Name }) => Name === values['sheet']) ?? noSheet
  const table = tables.find(({ Id }) => Id === values['tableId'])
  return { sheet, table, view: viewOf(sheet, Number(values['headingRow'])) }
}

const noSheet = { Name: '', Rows: 0, FirstRows: [], Notice: null, IsHidden: false, DateQuestion: null }

function SheetFields({ file, form }: { file: ReadFile; form: Form }) {
  const sheet = file.Sheets.find(({ Name }) => Name === form.values['sheet']) ?? noSheet
  const rows = Array.from({ length: Math.max(1, sheet.FirstRows.length) }, (_, at) => String(at + 1))
  const field = form.text('sheet')
  function choose(name: string) {
    const chosen = file.Sheets.find(({ Name }) => Name === name)
    form.set({ ...form.values, sheet: name, headingRow: String(chosen === undefined ? 1 : likelyHeadingRow(chosen)) })
  }
  return (
    <div className={css.fields}>
      <ChoiceField
        field={{ ...field, onChange: choose }}
        label="Sheet"
        choices={file.Sheets.map(({ Name }) => ({ value: Name, label: Name }))}
      />
      <ChoiceField
        field={form.text('headingRow')}
        label="Row of the headings"
        choices={rows.map((row) => ({ value: row, label: `Row ${row}` }))}
      />
    </div>
  )
}

/** What cannot be written is in the list, with its reason, so that nobody looks for it elsewhere. */
function TableField({ form, tables }: { form: Form; tables: readonly LoadTable[] }) {
  const { name, value, error, onBlur, onChange } = form.text('tableId')
  return (
    <NativeSelect
      name={name}
      label="Table"
      labelProps={{ 'data-required': true }}
      aria-required
      value={value}
      error={error}
      data={tableGroups(tables)}
      onBlur={onBlur}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function TableFacts({ table }: { table: LoadTable }) {
  return (
    <>
      <Facts
        facts={[
          { label: 'SQL name', value: table.SqlName, isCode: true },
          { label: 'Excel name', value: table.ExcelName, isCode: true },
        ]}
      />
      <TemplateButton table={table} />
    </>
  )
}

interface PlaneFieldsProps {
  form: Form
  planes: readonly Plane[]
  use: Use
  table: LoadTable
}

function PlaneFields({ form, planes, use, table }: PlaneFieldsProps) {
  const area = areaOf(planes, form.values)
  const mayConfigure = useMay()('editStructure')
  return (
    <>
      <p className="small subtle">
        {`The sheet has no column ${planes.join(', ')}, so choose what all of its rows belong to. Only what you may use is offered.`}
      </p>
      <div className={css.fields}>
        {planes.map((plane) => {
          const choices = choicesOf(plane, use, table, area)
          return (
            <ChoiceField
              key={plane}
              field={form.text(fieldOfPlane(plane))}
              label={plane}
              isRequired
              choices={[{ value: '', label: 'Choose' }, ...choices]}
              {...(choices.length === 0 && { help: noneWords(mayConfigure) })}
            />
          )
        })}
      </div>
    </>
  )
}

function noneWords(mayConfigure: boolean): string {
  return mayConfigure
    ? 'You may use none. Give yourself access under Excel, Security.'
    : 'You may use none. Ask an administrator of your organisation for one.'
}

/** Empty where the sheet tells it. */
function areaOf(planes: readonly Plane[], values: Values): string {
  return planes.includes('Area') ? String(values['area']) : ''
}

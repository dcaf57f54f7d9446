/** Options for a file that was read: sheet, heading row, table, and what its rows belong to. */
import type { Use } from '@tributary/contract/assignments'
import type { Load, LoadTargetTable } from '@tributary/contract/loads'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { SelectField } from '../../ui/forms/choice-fields.tsx'
import { type FormState, useForm, type FormValues, type FieldValue } from '../../ui/forms/use-form.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { DescriptionList, Panel } from '../../ui/layout/panel.tsx'
import { loadTables, ownEntitlements, type UploadedFile, useBeginLoad } from './api.ts'
import {
  dimensionsToChoose,
  toLoadRequest,
  dimensionChoices,
  dimensionField,
  optionRules,
  tableGroups,
} from './load-options.ts'
import { DateOrderQuestion } from './date-order-question.tsx'
import css from './loads.module.css'
import { NewColumnsPanel } from './new-columns.tsx'
import { SheetPreview } from './sheet-preview.tsx'
import { TemplateDownloadButton } from './template-download-button.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { type SheetView, viewSheet } from './sheet.ts'
import { likelyHeadingRow, type RowDimension } from '@tributary/contract/sheet-preview'

interface LoadOptionsFormProps {
  file: UploadedFile
  source: File
  /** Called with the file read again, after its question about dates was answered. */
  onReadAgain: (file: UploadedFile, chosen: FormValues) => void
  /** Initial values: the defaults, or the previous ones when returning from the check. */
  initialValues: FormValues
  onBegun: (load: Load, chosen: FormValues) => void
  onOtherFile: () => void
}

export function LoadOptionsForm(props: LoadOptionsFormProps) {
  const orgId = useOrganisationId()
  const tables = useQuery(loadTables(orgId))
  const use = useQuery(ownEntitlements(orgId))
  return (
    <QueryResult query={tables}>
      {(known) => (
        <QueryResult query={use}>{(may) => <LoadOptionsFields {...props} tables={known} use={may} />}</QueryResult>
      )}
    </QueryResult>
  )
}

function LoadOptionsFields({
  file,
  source,
  initialValues,
  onBegun,
  onReadAgain,
  onOtherFile,
  tables,
  use,
}: LoadOptionsFormProps & { tables: readonly LoadTargetTable[]; use: Use }) {
  const resolve = (values: FormValues) => resolveOptions(file, tables, values)
  const form = useForm(initialValues, (values) => {
    const { view, table } = resolve(values)
    const dimensions = dimensionsToChoose(view, table)
    return optionRules(dimensions, (dimension) =>
      table === undefined ? [] : dimensionChoices(dimension, use, table, chosenArea(dimensions, values)),
    )
  })
  const { sheet, view, table } = resolve(form.values)
  const begin = useBeginLoad((load) => onBegun(load, form.values))
  const chosenDimensions = dimensionsToChoose(view, table)

  function submit() {
    if (form.validate() && table !== undefined && view.problem === null)
      begin.mutate(toLoadRequest({ file, view, table, values: form.values }))
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
      <MutationError of={begin} />
      <SheetPanel file={file} source={source} form={form} onReadAgain={onReadAgain} sheet={sheet} view={view} />
      <Panel title="Where it goes">
        {/* Lists tables that cannot be loaded into as well, with the reason, so that users do not search for them elsewhere. */}
        <SelectField field={form.bind('tableId')} label="Table" choices={tableGroups(tables)} isRequired />
        {table === undefined ? null : <TableFacts table={table} />}
        {table === undefined || chosenDimensions.length === 0 ? null : (
          <DimensionFields form={form} dimensions={chosenDimensions} use={use} table={table} />
        )}
      </Panel>
      {table === undefined || view.problem !== null ? null : (
        <NewColumnsPanel form={form} fileId={file.Id} view={view} table={table} />
      )}
      <div className={css.actions}>
        <Button type="submit" loading={begin.isPending} disabled={view.problem !== null || sheet.DateQuestion !== null}>
          Check
        </Button>
        <Button variant="default" onClick={onOtherFile}>
          Choose another file
        </Button>
      </div>
    </form>
  )
}

interface SheetPanelProps extends Pick<LoadOptionsFormProps, 'file' | 'source' | 'onReadAgain'> {
  form: FormState
  sheet: ReturnType<typeof resolveOptions>['sheet']
  view: SheetView
}

function SheetPanel({ file, source, form, sheet, view, onReadAgain }: SheetPanelProps) {
  return (
    <Panel title={file.Name}>
      <SheetFields file={file} form={form} />
      {sheet.Notice === null ? null : <Callout tone="info">{sheet.Notice}</Callout>}
      {sheet.DateQuestion === null ? null : (
        <DateOrderQuestion
          source={source}
          example={sheet.DateQuestion}
          onRead={(read) => onReadAgain(read, form.values)}
        />
      )}
      <SheetPreview view={view} rows={sheet.Rows - Number(form.values['headingRow'])} />
    </Panel>
  )
}

function resolveOptions(file: UploadedFile, tables: readonly LoadTargetTable[], values: FormValues) {
  const sheet = findSheet(file, values['sheet'])
  const table = tables.find(({ Id }) => Id === values['tableId'])
  return { sheet, table, view: viewSheet(sheet, Number(values['headingRow'])) }
}

const noSheet = { Name: '', Rows: 0, FirstRows: [], Notice: null, IsHidden: false, DateQuestion: null }

function findSheet(file: UploadedFile, name: FieldValue | undefined) {
  return file.Sheets.find(({ Name }) => Name === name) ?? noSheet
}

function SheetFields({ file, form }: { file: UploadedFile; form: FormState }) {
  const sheet = findSheet(file, form.values['sheet'])
  const rows = Array.from({ length: Math.max(1, sheet.FirstRows.length) }, (_, at) => String(at + 1))
  const field = form.bind('sheet')
  function choose(name: string) {
    form.setValues({
      ...form.values,
      sheet: name,
      headingRow: String(likelyHeadingRow(findSheet(file, name).FirstRows) + 1),
    })
  }
  return (
    <div className={css.fields}>
      <SelectField
        field={{ ...field, onChange: choose }}
        label="Sheet"
        choices={file.Sheets.map(({ Name }) => ({ value: Name, label: Name }))}
      />
      <SelectField
        field={form.bind('headingRow')}
        label="Row of the headings"
        choices={rows.map((row) => ({ value: row, label: `Row ${row}` }))}
      />
    </div>
  )
}

function TableFacts({ table }: { table: LoadTargetTable }) {
  return (
    <>
      <DescriptionList
        items={[
          { label: 'SQL name', value: table.SqlName, isCode: true },
          { label: 'Excel name', value: table.ExcelName, isCode: true },
        ]}
      />
      <TemplateDownloadButton table={table} />
    </>
  )
}

interface DimensionFieldsProps {
  form: FormState
  dimensions: readonly RowDimension[]
  use: Use
  table: LoadTargetTable
}

function DimensionFields({ form, dimensions, use, table }: DimensionFieldsProps) {
  const area = chosenArea(dimensions, form.values)
  const noChoiceHelp = useMay()('editStructure')
    ? 'You may use none. Give yourself access under Excel, Security.'
    : 'You may use none. Ask an administrator of your organisation for one.'
  return (
    <>
      <p className="small subtle">
        {`The sheet has no column ${dimensions.join(', ')}, so choose what all of its rows belong to. Only what you may use is offered.`}
      </p>
      <div className={css.fields}>
        {dimensions.map((dimension) => {
          const choices = dimensionChoices(dimension, use, table, area)
          return (
            <SelectField
              key={dimension}
              field={form.bind(dimensionField(dimension))}
              label={dimension}
              isRequired
              choices={[{ value: '', label: 'Choose' }, ...choices]}
              help={choices.length === 0 ? noChoiceHelp : null}
            />
          )
        })}
      </div>
    </>
  )
}

/** Empty if a column of the sheet contains the area. */
function chosenArea(dimensions: readonly RowDimension[], values: FormValues): string {
  return dimensions.includes('Area') ? String(values['area']) : ''
}

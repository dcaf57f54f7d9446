/** The choice of the rows, of the table, and of the dimensions that have no column. */
import { Button } from '@fluentui/react-button'
import { Field } from '@fluentui/react-field'
import { Radio, RadioGroup } from '@fluentui/react-radio'
import { Select } from '@fluentui/react-select'
import { Text } from '@fluentui/react-text'
import type { Use } from '@tributary/contract/assignments'
import type { LoadTargetTable } from '@tributary/contract/loads'
import type { Organisation } from '@tributary/contract/organisations'
import { call } from '../api/call.ts'
import { type ScreenQuery, useScreenQuery } from '../api/use-screen-query.ts'
import { type LoadDraft, storeDraft } from '../load/draft.ts'
import { findHeadingProblem, inferColumns } from '../load/headings.ts'
import {
  chooseHeadingRow,
  listNames,
  type LoadPlan,
  previewSource,
  rowsBelowHeadings,
  type SourcePreview,
} from '../load/load-plan.ts'
import { OrganisationField } from './organisation-field.tsx'
import { Failure, Message, Waiting } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { findWriteObstacle, formatColumns, formatRowCount } from '../ui/load-wording.ts'
import { missingDimensions, type RowDimension, columnName } from '@tributary/contract/sheet-preview'

interface ChooseProps {
  organisations: readonly Organisation[]
  draft: LoadDraft
  onDraft: (draft: LoadDraft) => void
  onPreview: (plan: LoadPlan) => void
}

export function Choose({ organisations, draft, onDraft, onPreview }: ChooseProps) {
  const choices = useChoices(draft)
  const { preview, tables, use, table, layout, dimensions, names } = choices
  const plan = createPlan(draft, choices)
  function showPreview() {
    if (plan === undefined) return
    void storeDraft(draft)
    onPreview(plan)
  }
  return (
    <Screen
      title="What goes where"
      actions={
        <Button appearance="primary" disabled={plan === undefined} onClick={showPreview}>
          Preview
        </Button>
      }
    >
      {organisations.length > 1 ? (
        <OrganisationField
          organisations={organisations}
          value={draft.organisationId}
          onChoose={(organisationId) => onDraft({ ...draft, organisationId, tableId: '', names: {} })}
        />
      ) : null}
      <SourceField {...{ draft, onDraft, preview, layout }} />
      <Failure error={tables.error ?? use.error} onRetry={tables.error === null ? use.refetch : tables.refetch} />
      {tables.isFetching ? <Waiting>Looking for your tables…</Waiting> : null}
      {tables.data === undefined ? null : <TableField {...{ tables: tables.data, table, draft, onDraft }} />}
      {table === undefined || use.data === undefined ? null : (
        <DimensionFields {...{ dimensions, names, draft, onDraft, table, use: use.data }} />
      )}
    </Screen>
  )
}

function useChoices(draft: LoadDraft) {
  const { organisationId: orgId, source } = draft
  const preview = useScreenQuery({ queryKey: ['source-preview', source], queryFn: () => previewSource(source) })
  const tables = useScreenQuery({
    queryKey: ['load-tables', orgId],
    queryFn: (signal) => call('GET /loads/tables', { query: { orgId }, signal }),
  })
  const use = useScreenQuery({
    queryKey: ['use', orgId],
    queryFn: (signal) => call('GET /me/use', { query: { orgId }, signal }),
  })
  const table = tables.data?.find(({ Id, MayWrite }) => Id === draft.tableId && MayWrite)
  const layout = preview.data === undefined ? undefined : readLayout(preview.data, draft)
  const dimensions =
    layout === undefined || table?.Kind !== 'version'
      ? []
      : missingDimensions(layout.columns.map(({ heading }) => heading))
  const names: LoadPlan['names'] =
    table === undefined || use.data === undefined ? {} : chooseNames(dimensions, draft, { table, use: use.data })
  return { preview, tables, use, table, layout, dimensions, names }
}

/** Undefined while a choice is missing. */
function createPlan(
  { organisationId }: LoadDraft,
  { preview, table, layout, dimensions, names }: ReturnType<typeof useChoices>,
): LoadPlan | undefined {
  if (preview.data === undefined || table === undefined || layout?.problem !== null) return undefined
  if (dimensions.some((dimension) => names[dimension] === undefined)) return undefined
  const { headingRow, columns } = layout
  return { organisationId, table, preview: preview.data, headingRow, columns, names, types: {} }
}

type SheetLayout = ReturnType<typeof readLayout>

function readLayout(preview: SourcePreview, draft: LoadDraft) {
  const isForThisSheet = draft.headingSheet === preview.range.worksheetId
  const headingRow = chooseHeadingRow(preview, isForThisSheet ? draft.headingRow : null)
  const columns = inferColumns(preview.rows, headingRow)
  const { rows } = rowsBelowHeadings({ preview, headingRow })
  // `rows` are those below the headings.
  return { headingRow, columns, rows, problem: findHeadingProblem(columns, rows) }
}

/** A single option is chosen automatically. A stored choice that is not allowed any more is ignored. */
function chooseNames(
  dimensions: readonly RowDimension[],
  draft: LoadDraft,
  { table, use }: { table: LoadTargetTable; use: Use },
): Partial<Record<RowDimension, string>> {
  const names: Partial<Record<RowDimension, string>> = {}
  for (const dimension of dimensions) {
    const options = listNames(dimension, { use, table, area: names.Area ?? '' })
    const stored = draft.names[dimension] ?? ''
    const name = options.length === 1 ? options[0] : options.find((option) => option === stored)
    if (name !== undefined) names[dimension] = name
  }
  return names
}

type DraftProps = Pick<ChooseProps, 'draft' | 'onDraft'>

interface SourceFieldProps extends DraftProps {
  preview: ScreenQuery<SourcePreview>
  layout: SheetLayout | undefined
}

function SourceField({ draft, onDraft, preview, layout }: SourceFieldProps) {
  const range = preview.data?.range
  return (
    <>
      <Field label="Rows to load">
        <RadioGroup
          value={draft.source}
          onChange={(_, { value }) =>
            onDraft({ ...draft, source: value === 'selection' ? 'selection' : 'sheet', headingRow: null })
          }
        >
          <Radio value="sheet" label="The whole sheet" />
          <Radio value="selection" label="The selected cells" />
        </RadioGroup>
      </Field>
      <Failure error={preview.error} onRetry={preview.refetch} retryLabel="Read it again" />
      {range === undefined || layout === undefined ? null : (
        <>
          <Field label="Row with the headings">
            <Select
              value={String(layout.headingRow)}
              onChange={(_, { value }) =>
                onDraft({ ...draft, headingRow: Number(value), headingSheet: range.worksheetId })
              }
            >
              {preview.data?.rows.map((_, at) => (
                <option key={range.row + at} value={at}>{`Row ${range.row + at + 1}`}</option>
              ))}
            </Select>
          </Field>
          <Text size={200}>
            {`‘${range.sheet}’, columns ${columnName(range.column + 1)} to ${columnName(range.column + range.columns)}: ${formatRowCount(Math.max(0, layout.rows))} in ${formatColumns(range.columns)}.`}
          </Text>
          <div>
            <Button size="small" disabled={preview.isFetching} onClick={preview.refetch}>
              Read it again
            </Button>
          </div>
          {layout.problem === null ? null : <Message intent="warning">{layout.problem}</Message>}
        </>
      )}
    </>
  )
}

function TableField({
  tables,
  table,
  draft,
  onDraft,
}: DraftProps & { tables: readonly LoadTargetTable[]; table: LoadTargetTable | undefined }) {
  if (tables.length === 0)
    return (
      <Message intent="info" title="There is no table that you may use.">
        An administrator gives access in the portal, under Excel, Security: by a group with a version and a milestone,
        or by a helper table.
      </Message>
    )
  return (
    <Field label="Table" {...(table !== undefined && { hint: `${table.SqlName} in the database` })}>
      <Select value={table?.Id ?? ''} onChange={(_, { value }) => onDraft({ ...draft, tableId: value })}>
        <option value="">Choose a table</option>
        <TableGroup title="Versions" tables={tables.filter(({ Kind }) => Kind === 'version')} />
        <TableGroup title="Helper Tables" tables={tables.filter(({ Kind }) => Kind === 'helperTable')} />
      </Select>
    </Field>
  )
}

/** Tables that the user cannot load into are shown with the reason. */
function TableGroup({ title, tables }: { title: string; tables: readonly LoadTargetTable[] }) {
  if (tables.length === 0) return null
  return (
    <optgroup label={title}>
      {tables.map((table) => {
        const obstacle = findWriteObstacle(table)
        return (
          <option key={table.Id} value={table.Id} disabled={obstacle !== null}>
            {obstacle === null ? table.Name : `${table.Name} – ${obstacle}`}
          </option>
        )
      })}
    </optgroup>
  )
}

interface DimensionFieldsProps extends DraftProps {
  dimensions: readonly RowDimension[]
  names: Partial<Record<RowDimension, string>>
  table: LoadTargetTable
  use: Use
}

function DimensionFields({ dimensions, names, draft, onDraft, table, use }: DimensionFieldsProps) {
  if (dimensions.length === 0) return null
  return (
    <>
      <Text>{`All rows belong to one of each, because the sheet has no column for it:`}</Text>
      {dimensions.map((dimension) => {
        const options = listNames(dimension, { use, table, area: names.Area ?? '' })
        const problem = options.length === 0 ? describeNoOptions(dimension) : undefined
        return (
          <Field key={dimension} label={dimension} {...(problem !== undefined && { validationMessage: problem })}>
            <Select
              value={names[dimension] ?? ''}
              onChange={(_, { value }) => onDraft({ ...draft, names: { ...draft.names, [dimension]: value } })}
            >
              <option value="">{`Choose ${dimension === 'Subarea' || dimension === 'Milestone' ? 'a' : 'an'} ${dimension.toLowerCase()}`}</option>
              {options.map((option) => (
                <option key={option} value={option}>
                  {option}
                </option>
              ))}
            </Select>
          </Field>
        )
      })}
    </>
  )
}

function describeNoOptions(dimension: RowDimension): string {
  return `You may use no ${dimension.toLowerCase()}. An administrator gives access in the portal, under Excel, Security.`
}

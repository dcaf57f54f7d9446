/** Which rows go into which table, and what they all belong to. */
import { Button } from '@fluentui/react-button'
import { Field } from '@fluentui/react-field'
import { Radio, RadioGroup } from '@fluentui/react-radio'
import { Select } from '@fluentui/react-select'
import { Text } from '@fluentui/react-text'
import type { Use } from '@tributary/contract/assignments'
import type { LoadTable } from '@tributary/contract/loads'
import type { Organisation } from '@tributary/contract/organisations'
import { call } from '../api/call.ts'
import { type Draft, keepDraft } from '../load/draft.ts'
import { type Column, columnsOf, missingPlanes, type Plane, problemOf } from '../load/headings.ts'
import { headingRowOf, lookAt, optionsOf, type Plan, rowsPlace, type Sight } from '../load/load-plan.ts'
import { Failure, Note, Waiting } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { type Asked, useAsk } from '../ui/use-request.ts'
import { columnLetters, columnsWord, rowsWord, whyNot } from '../ui/load-wording.ts'

interface ChooseProps {
  organisations: readonly Organisation[]
  draft: Draft
  onDraft: (draft: Draft) => void
  onPreview: (plan: Plan) => void
}

export function Choose({ organisations, draft, onDraft, onPreview }: ChooseProps) {
  const { sight, tables, use, table, reading, planes, names } = useChoices(draft)
  const plan =
    reading?.problem === null ? wholePlan(draft, { sight: sight.value, table, reading, planes, names }) : undefined
  function preview() {
    if (plan === undefined) return
    void keepDraft(draft)
    onPreview(plan)
  }
  return (
    <Screen
      title="What goes where"
      actions={
        <Button appearance="primary" disabled={plan === undefined} onClick={preview}>
          Preview
        </Button>
      }
    >
      {organisations.length > 1 ? <OrganisationField {...{ organisations, draft, onDraft }} /> : null}
      <SourceField {...{ draft, onDraft, sight, reading }} />
      <Failure error={tables.error ?? use.error} onRetry={tables.error === undefined ? use.again : tables.again} />
      {tables.isWaiting ? <Waiting>Looking for your tables…</Waiting> : null}
      {tables.value === undefined ? null : <TableField {...{ tables: tables.value, table, draft, onDraft }} />}
      {table === undefined || use.value === undefined ? null : (
        <PlaneFields {...{ planes, names, draft, onDraft, table, use: use.value }} />
      )}
    </Screen>
  )
}

function useChoices(draft: Draft) {
  const orgId = draft.organisationId
  const sight = useAsk(draft.source, () => lookAt(draft.source))
  const tables = useAsk(orgId, (signal) => call('GET /loads/tables', { query: { orgId }, signal }))
  const use = useAsk(orgId, (signal) => call('GET /me/use', { query: { orgId }, signal }))
  const table = tables.value?.find(({ Id, MayWrite }) => Id === draft.tableId && MayWrite)
  const reading = sight.value === undefined ? undefined : readingOf(sight.value, draft)
  const planes = reading === undefined || table?.Kind !== 'version' ? [] : missingPlanes(reading.columns)
  const names = table === undefined || use.value === undefined ? {} : namesOf(planes, draft, { table, use: use.value })
  return { sight, tables, use, table, reading, planes, names }
}

interface Chosen extends Pick<Plan, 'names'> {
  readonly sight: Sight | undefined
  readonly table: LoadTable | undefined
  readonly reading: Reading
  readonly planes: readonly Plane[]
}

/** Undefined while anything is still to be chosen. */
function wholePlan({ organisationId }: Draft, { sight, table, reading, planes, names }: Chosen): Plan | undefined {
  if (sight === undefined || table === undefined || planes.some((plane) => names[plane] === undefined)) return undefined
  return { organisationId, table, sight, headingRow: reading.headingRow, columns: reading.columns, names, types: {} }
}

interface Reading {
  readonly headingRow: number
  readonly columns: readonly Column[]
  readonly rows: number
  readonly problem: string | null
}

function readingOf(sight: Sight, draft: Draft): Reading {
  const headingRow = headingRowOf(sight, draft.headingSheet === sight.place.worksheetId ? draft.headingRow : null)
  const columns = columnsOf(sight.rows, headingRow)
  const { rows } = rowsPlace({ sight, headingRow })
  return { headingRow, columns, rows, problem: problemOf(columns, rows) }
}

/** Where there is one choice only, it is made. What was kept and is not allowed any more counts for nothing. */
function namesOf(
  planes: readonly Plane[],
  draft: Draft,
  { table, use }: { table: LoadTable; use: Use },
): Partial<Record<Plane, string>> {
  const names: Partial<Record<Plane, string>> = {}
  for (const plane of planes) {
    const options = optionsOf(plane, { use, table, area: names.Area ?? '' })
    const wanted = draft.names[plane] ?? ''
    const name = options.length === 1 ? options[0] : options.find((option) => option === wanted)
    if (name !== undefined) names[plane] = name
  }
  return names
}

type Fields = Pick<ChooseProps, 'draft' | 'onDraft'>

function OrganisationField({ organisations, draft, onDraft }: Fields & { organisations: readonly Organisation[] }) {
  return (
    <Field label="Organisation">
      <Select
        value={draft.organisationId}
        onChange={(_, { value }) => onDraft({ ...draft, organisationId: value, tableId: '', names: {} })}
      >
        {organisations.map(({ Id, CompanyName }) => (
          <option key={Id} value={Id}>
            {CompanyName}
          </option>
        ))}
      </Select>
    </Field>
  )
}

interface SourceFieldProps extends Fields {
  sight: Asked<Sight>
  reading: Reading | undefined
}

function SourceField({ draft, onDraft, sight, reading }: SourceFieldProps) {
  const place = sight.value?.place
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
      <Failure error={sight.error} onRetry={sight.again} retryLabel="Read it again" />
      {place === undefined || reading === undefined ? null : (
        <>
          <Field label="Headings stand in">
            <Select
              value={String(reading.headingRow)}
              onChange={(_, { value }) =>
                onDraft({ ...draft, headingRow: Number(value), headingSheet: place.worksheetId })
              }
            >
              {sight.value?.rows.map((_, at) => (
                <option key={place.row + at} value={at}>{`Row ${place.row + at + 1}`}</option>
              ))}
            </Select>
          </Field>
          <Text size={200}>
            {`‘${place.sheet}’, columns ${columnLetters(place.column)} to ${columnLetters(place.column + place.columns - 1)}: ${rowsWord(Math.max(0, reading.rows))} in ${columnsWord(place.columns)}.`}
          </Text>
          <div>
            <Button size="small" disabled={sight.isWaiting} onClick={sight.again}>
              Read it again
            </Button>
          </div>
          {reading.problem === null ? null : <Note intent="warning">{reading.problem}</Note>}
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
}: Fields & { tables: readonly LoadTable[]; table: LoadTable | undefined }) {
  if (tables.length === 0)
    return (
      <Note intent="info" title="There is no table that you may use.">
        An administrator gives access in the portal, under Excel, Security: by a group with a version and a milestone,
        or by a helper table.
      </Note>
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

/** What cannot be loaded into is shown, with its reason. */
function TableGroup({ title, tables }: { title: string; tables: readonly LoadTable[] }) {
  if (tables.length === 0) return null
  return (
    <optgroup label={title}>
      {tables.map((table) => {
        const why = whyNot(table)
        return (
          <option key={table.Id} value={table.Id} disabled={why !== null}>
            {why === null ? table.Name : `${table.Name} – ${why}`}
          </option>
        )
      })}
    </optgroup>
  )
}

interface PlaneFieldsProps extends Fields {
  planes: readonly Plane[]
  names: Partial<Record<Plane, string>>
  table: LoadTable
  use: Use
}

function PlaneFields({ planes, names, draft, onDraft, table, use }: PlaneFieldsProps) {
  if (planes.length === 0) return null
  return (
    <>
      <Text>{`All rows belong to one of each, because the sheet has no column for it:`}</Text>
      {planes.map((plane) => {
        const options = optionsOf(plane, { use, table, area: names.Area ?? '' })
        const none = options.length === 0 ? noneWords(plane) : undefined
        return (
          <Field key={plane} label={plane} {...(none !== undefined && { validationMessage: none })}>
            <Select
              value={names[plane] ?? ''}
              onChange={(_, { value }) => onDraft({ ...draft, names: { ...draft.names, [plane]: value } })}
            >
              <option value="">{`Choose ${plane === 'Subarea' || plane === 'Milestone' ? 'a' : 'an'} ${plane.toLowerCase()}`}</option>
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

function noneWords(plane: Plane): string {
  return `You may use no ${plane.toLowerCase()}. An administrator gives access in the portal, under Excel, Security.`
}

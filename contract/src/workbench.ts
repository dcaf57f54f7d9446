/** The workbench of the provider: drafts, tries and proves descriptions of sources. Values of settings are used for one call and never stored. */
import * as z from 'zod'
import { SettingsSection } from './connector-catalogue.ts'
import { Id } from './id.ts'
import { documentBodyMaxBytes, nameMax, workbenchLimits } from './limits.ts'
import { route } from './route.ts'

const DescriptionProblem = z.object({ Line: z.number().int(), Column: z.number().int(), Message: z.string() })

export const WorkbenchDescription = z.object({
  Id: z.uuid(),
  Name: z.string(),
  /** Grows with each save. */
  Revision: z.number().int(),
  ChangedAtUtc: z.string(),
  ChangedBy: z.string().nullable(),
})
export type WorkbenchDescription = z.infer<typeof WorkbenchDescription>

export const WorkbenchText = WorkbenchDescription.extend({ Text: z.string() })
export type WorkbenchText = z.infer<typeof WorkbenchText>

export const DraftedDescription = z.object({
  /** The description, in YAML. What had to be guessed has a comment that begins with `# check:`. */
  Text: z.string(),
  /** What was left out, and what to look at first. */
  Notes: z.array(z.string()),
  Problems: z.array(DescriptionProblem),
})
export type DraftedDescription = z.infer<typeof DraftedDescription>

export const CheckedWorkbenchDescription = z.object({
  Problems: z.array(DescriptionProblem),
  /** The form; null if there are problems. The keys of its fields are the names of `values`. */
  Settings: SettingsSection.nullable(),
  /** Empty for an OData service whose description names no entity set: a try lists them. */
  Streams: z.array(z.string()),
  Hosts: z.array(z.string()),
})
export type CheckedWorkbenchDescription = z.infer<typeof CheckedWorkbenchDescription>

/** A request with its reply. Secrets are masked, and long bodies are cut. */
const TriedExchange = z.object({
  Method: z.string(),
  Address: z.string(),
  Headers: z.record(z.string(), z.string()),
  /** Null if there was no complete reply. */
  Status: z.number().int().nullable(),
  ReplyHeaders: z.record(z.string(), z.string()),
  Body: z.string(),
  /** Of the whole body. */
  Bytes: z.number().int(),
})
export type TriedExchange = z.infer<typeof TriedExchange>

const TriedTable = z.object({
  Name: z.string(),
  Columns: z.array(
    z.object({
      Name: z.string(),
      Type: z.string(),
      /** Where the value is in a record. */
      Pointer: z.string(),
      /** Whether any row has a value. */
      IsSeen: z.boolean(),
    }),
  ),
  /** In the order of the columns. At most 200 rows; long values are cut. */
  Rows: z.array(z.array(z.string().nullable())),
  RowsRead: z.number().int(),
})
export type TriedTable = z.infer<typeof TriedTable>

export const TriedStream = z.object({
  Stream: z.string(),
  Streams: z.array(z.string()),
  Exchanges: z.array(TriedExchange),
  Tables: z.array(TriedTable),
  /** Values that do not fit their type: a target would reject these rows. */
  Misfits: z.array(
    z.object({
      Table: z.string(),
      Column: z.string(),
      Pointer: z.string(),
      /** From 1, in the order of reading. */
      Row: z.number().int(),
      Value: z.string(),
      Wanted: z.string(),
    }),
  ),
  Log: z.array(z.string()),
  /** Why reading ended before so many pages; null if it did not fail. */
  Problem: z.string().nullable(),
  /** The list has more pages than were read. */
  HasMore: z.boolean(),
})
export type TriedStream = z.infer<typeof TriedStream>

export const proofVerdicts = ['provenLive', 'provenSimulated', 'notProven'] as const
export const proofChecks = [
  'paging',
  'types',
  'order',
  'limits',
  'ties',
  'lateCommits',
  'deletes',
  'cuts',
  'kills',
] as const

export const StreamProof = z.object({
  Stream: z.string(),
  Check: z.enum(proofChecks),
  Verdict: z.enum(proofVerdicts),
  /** What was compared, or why it is not proven. */
  Why: z.string(),
})
export type StreamProof = z.infer<typeof StreamProof>

const text = z.string().max(workbenchLimits.descriptionMax)
const descriptionInput = { name: z.string().trim().min(1).max(nameMax), text }
/** Values of the settings by the key of the field, with secrets. */
const values = z.record(z.string().max(100), z.string().max(workbenchLimits.valueMax))
const stream = z.string().min(1).max(nameMax)
const forProvider = { allow: 'useWorkbench', scope: 'none' } as const
const path = '/admin/workbench/descriptions'
const params = z.strictObject({ descriptionId: Id })

export const workbench = {
  list: route({
    method: 'GET',
    path,
    summary: 'Descriptions of sources that the provider works on. The latest change comes first.',
    ...forProvider,
    reply: z.array(WorkbenchDescription),
  }),
  read: route({
    method: 'GET',
    path: `${path}/:descriptionId`,
    summary: 'A description of a source with its text.',
    ...forProvider,
    params,
    reply: WorkbenchText,
  }),
  create: route({
    method: 'POST',
    path,
    summary: 'Store a description of a source under a new name. It may have problems.',
    ...forProvider,
    body: z.strictObject(descriptionInput),
    status: 201,
    reply: WorkbenchText,
    faults: ['nameTaken'],
  }),
  save: route({
    method: 'PUT',
    path: `${path}/:descriptionId`,
    summary:
      'Save a description of a source. Refused if another person saved it since the revision that the caller read.',
    ...forProvider,
    params,
    body: z.strictObject({ ...descriptionInput, revision: z.number().int().min(1) }),
    reply: WorkbenchText,
    faults: ['changedMeanwhile', 'nameTaken'],
  }),
  remove: route({
    method: 'DELETE',
    path: `${path}/:descriptionId`,
    summary: 'Delete a description of a source. Connectors do not use it.',
    ...forProvider,
    params,
  }),
  draft: route({
    method: 'POST',
    path: '/admin/workbench/draft',
    summary:
      'Draft a description from an OpenAPI document, $metadata of an OData service or a sample reply. Nothing is stored.',
    ...forProvider,
    bodyMaxBytes: documentBodyMaxBytes,
    body: z.strictObject({
      kind: z.enum(['openapi', 'metadata', 'sample']),
      text: z.string().max(workbenchLimits.documentMax),
      /** Of the API, of the service, or of the call that the sample answers, with its parameters. */
      address: z.string().trim().max(2_000).optional(),
    }),
    reply: DraftedDescription,
    faults: ['settingsWrong', 'tooMany'],
  }),
  check: route({
    method: 'POST',
    path: '/admin/workbench/check',
    summary: 'The problems of a description with line and column; or its settings, streams and hosts.',
    ...forProvider,
    body: z.strictObject({ text }),
    reply: CheckedWorkbenchDescription,
    faults: ['tooMany'],
  }),
  try: route({
    method: 'POST',
    path: '/admin/workbench/try',
    summary: 'Read some pages of a stream. Returns requests, replies, rows and types; secrets are masked.',
    ...forProvider,
    body: z.strictObject({
      text,
      values,
      /** Left out: the first one. */
      stream: stream.optional(),
      pages: z.number().int().min(1).max(workbenchLimits.pagesMax),
    }),
    reply: TriedStream,
    faults: ['settingsWrong', 'tooMany', 'workbenchBusy'],
  }),
  prove: route({
    method: 'POST',
    path: '/admin/workbench/prove',
    summary:
      'Prove one stream: live with calls that only read, or on an API made from the description. Takes up to two minutes.',
    ...forProvider,
    body: z.strictObject({
      text,
      stream,
      kind: z.enum(['live', 'simulated']),
      /** For `live`. Left out: nothing is called, and nothing is proven live. */
      values: values.optional(),
    }),
    reply: z.array(StreamProof),
    faults: ['settingsWrong', 'tooMany', 'workbenchBusy'],
  }),
} as const

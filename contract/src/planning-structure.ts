/** The calls of the planning structure: areas, subareas, versions with milestones, helper tables, entities. */
import * as z from 'zod'
import { Id, OptionalId } from './id.ts'
import { nameMax } from './limits.ts'
import {
  Area,
  Entity,
  HelperTable,
  LinkedRecordQuery,
  Milestone,
  RecordQuery,
  Subarea,
  PlanVersion,
} from './planning-records.ts'
import { route } from './route.ts'
import { ofRecord } from './route-parts.ts'
import {
  bodyField,
  comOrganisationConfirms,
  comOrganisationInBody,
  organisationInQuery,
  pathParam,
  type ScopeTable,
} from './scope.ts'

/** Normalised to NFC, so that names typed on different systems compare as equal. */
const name = z.string().normalize('NFC').trim().min(1).max(nameMax)
const comOrganisationId = OptionalId
const statusId = OptionalId
const listOrder = z.literal(1).optional()

const writeArea = z.strictObject({ name, comOrganisationId })
const writeHelperTable = z.strictObject({
  name,
  /** Must match the name; derived from it if absent. */
  inputTableName: z.string().max(nameMax).optional(),
  /** The organisation's Excel product, which GET /organisations gives. */
  budget2SqlProductId: OptionalId,
  statusId,
  comOrganisationId,
})
const changeRecord = z.strictObject({ name: name.optional(), comOrganisationId, statusId })
const recordFaults = ['nameTaken'] as const
const tableFaults = ['nameTaken', 'tableNameTaken'] as const
const del = z.strictObject({ name: z.literal('del') }).optional()

const list = { method: 'GET', allow: 'seeExcel', scope: organisationInQuery } as const
const add = { method: 'POST', allow: 'editStructure', scope: comOrganisationInBody, status: 201 } as const

function change<const Param extends string>(param: Param, table: ScopeTable) {
  const { scope, params } = ofRecord(param, table)
  return { method: 'POST', allow: 'editStructure', scope: [scope, comOrganisationConfirms], params } as const
}

function remove<const Param extends string>(param: Param, table: ScopeTable) {
  return { method: 'DELETE', allow: 'deleteStructure', ...ofRecord(param, table) } as const
}

export const planningStructure = {
  areas: route({
    ...list,
    path: '/areas',
    tokenScopes: ['plans.load', 'administer'],
    summary: 'The areas, by name, each with the subareas it is linked to.',
    query: LinkedRecordQuery,
    reply: z.array(Area),
  }),
  addArea: route({
    ...add,
    path: '/areas',
    tokenScopes: ['administer'],
    summary: 'Add an area.',
    body: writeArea,
    reply: Area,
    faults: recordFaults,
  }),
  changeArea: route({
    ...change('areaId', 'area'),
    path: '/areas/:areaId',
    tokenScopes: ['administer'],
    summary: 'Rename an area, or set its status: active or archived.',
    body: changeRecord,
    reply: Area,
    faults: recordFaults,
  }),
  deleteArea: route({
    ...remove('areaId', 'area'),
    path: '/areas/:areaId',
    tokenScopes: ['administer'],
    summary: 'Delete an area with its links and grants.',
  }),
  subareas: route({
    ...list,
    path: '/subareas',
    tokenScopes: ['plans.load', 'administer'],
    summary: 'The subareas, by name, each with the areas it is linked to.',
    query: LinkedRecordQuery,
    reply: z.array(Subarea),
  }),
  addSubarea: route({
    ...add,
    path: '/subareas',
    tokenScopes: ['administer'],
    summary: 'Add a subarea; areas linked to all current and future ones take it in.',
    body: writeArea.extend({ listOrder }),
    reply: Subarea,
    faults: recordFaults,
  }),
  changeSubarea: route({
    ...change('subareaId', 'subarea'),
    path: '/subareas/:subareaId',
    tokenScopes: ['administer'],
    summary: 'Rename a subarea, or set its status: active or archived.',
    body: changeRecord.extend({ listOrder }),
    reply: Subarea,
    faults: recordFaults,
  }),
  deleteSubarea: route({
    ...remove('subareaId', 'subarea'),
    path: '/subareas/:subareaId',
    tokenScopes: ['administer'],
    summary: 'Delete a subarea with its links and grants.',
  }),
  versions: route({
    ...list,
    path: '/versions',
    tokenScopes: ['plans.load', 'administer'],
    summary: 'The versions, by name, each with its milestones.',
    query: RecordQuery,
    reply: z.array(PlanVersion),
  }),
  addVersion: route({
    ...add,
    path: '/versions',
    tokenScopes: ['administer'],
    summary: 'Add a version; its tables are named after it.',
    body: writeArea,
    reply: PlanVersion,
    faults: tableFaults,
  }),
  changeVersion: route({
    ...change('versionId', 'version'),
    path: '/versions/:versionId',
    tokenScopes: ['administer'],
    summary: 'Rename a version, or set its status: active, locked or archived.',
    body: changeRecord,
    reply: PlanVersion,
    faults: tableFaults,
  }),
  deleteVersion: route({
    ...remove('versionId', 'version'),
    path: '/versions/:versionId',
    tokenScopes: ['administer'],
    summary: 'Delete a version with its milestones and grants. Rows that were loaded stay in the database.',
    body: del,
  }),
  milestones: route({
    method: 'GET',
    path: '/milestones/:versionId',
    tokenScopes: ['plans.load', 'administer'],
    summary: 'The milestones of a version, by name.',
    allow: 'seeExcel',
    ...ofRecord('versionId', 'version'),
    reply: z.array(Milestone),
  }),
  addMilestone: route({
    method: 'POST',
    path: '/milestones',
    tokenScopes: ['administer'],
    summary: 'Add a milestone to a version that is not archived.',
    allow: 'editStructure',
    scope: bodyField('versionId', 'version'),
    body: z.strictObject({ name, versionId: Id, listOrder }),
    status: 201,
    reply: Milestone,
    faults: ['nameTaken', 'versionArchived'],
  }),
  changeMilestone: route({
    ...change('milestoneId', 'milestone'),
    path: '/milestones/:milestoneId',
    tokenScopes: ['administer'],
    summary: 'Rename a milestone, or set its status: active, locked or archived.',
    scope: [pathParam('milestoneId', 'milestone'), bodyField('versionId', 'version'), comOrganisationConfirms],
    body: z.strictObject({ name: name.optional(), statusId, versionId: OptionalId, listOrder, comOrganisationId }),
    reply: Milestone,
    faults: recordFaults,
  }),
  deleteMilestone: route({
    ...remove('milestoneId', 'milestone'),
    path: '/milestones/:milestoneId',
    tokenScopes: ['administer'],
    summary: 'Delete a milestone with its grants.',
  }),
  helperTables: route({
    ...list,
    path: '/helperTables',
    tokenScopes: ['plans.load', 'administer'],
    summary: 'The helper tables, by name.',
    query: RecordQuery,
    reply: z.array(HelperTable),
  }),
  addHelperTable: route({
    ...add,
    path: '/helperTables',
    tokenScopes: ['administer'],
    summary: 'Add a helper table.',
    body: writeHelperTable,
    reply: HelperTable,
    faults: tableFaults,
  }),
  changeHelperTable: route({
    ...change('helperTableId', 'helperTable'),
    path: '/helperTables/:helperTableId',
    tokenScopes: ['administer'],
    summary: 'Rename a helper table, or set its status: active, locked or archived.',
    body: writeHelperTable.partial({ name: true }),
    reply: HelperTable,
    faults: tableFaults,
  }),
  deleteHelperTable: route({
    ...remove('helperTableId', 'helperTable'),
    path: '/helperTables/:helperTableId',
    tokenScopes: ['administer'],
    summary: 'Delete a helper table with its assignments. Rows that were loaded stay in the database.',
  }),
  entities: route({
    ...list,
    path: '/entities',
    tokenScopes: ['plans.load', 'administer'],
    summary: 'The entities, by name.',
    query: RecordQuery,
    reply: z.array(Entity),
  }),
  addEntity: route({
    ...add,
    path: '/entities',
    tokenScopes: ['administer'],
    summary: 'Add an entity.',
    body: writeArea,
    reply: Entity,
    faults: recordFaults,
  }),
  changeEntity: route({
    ...change('entityId', 'entity'),
    path: '/entities/:entityId',
    tokenScopes: ['administer'],
    summary: 'Rename an entity, or set its status: active or archived.',
    body: changeRecord,
    reply: Entity,
    faults: recordFaults,
  }),
  deleteEntity: route({
    ...remove('entityId', 'entity'),
    path: '/entities/:entityId',
    tokenScopes: ['administer'],
    summary: 'Delete an entity with its assignments.',
    allow: 'editStructure',
  }),
} as const

/** The checklists of a new organisation: which steps the facts have completed, and which lists were dismissed. */
import { may } from '@tributary/contract/capabilities'
import {
  type Checklist,
  type ChecklistName,
  checklistNames,
  type ChecklistStep,
  checklistSteps,
} from '@tributary/contract/checklist'
import type { Camel } from '@tributary/contract/wire'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../kernel/http/actor.ts'
import type { Db } from '../../kernel/store/store.ts'

/** The checklists that are neither dismissed nor complete; none for an actor who may not do the steps. */
export async function listChecklists(db: Db, organisationId: string, actor: Actor): Promise<Camel<Checklist>[]> {
  if (!may(actor.roleLevel, 'addConnector')) return []
  const { dismissedChecklists } = await db
    .selectFrom('organisation')
    .select('dismissedChecklists')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow()
  const checklists: Camel<Checklist>[] = []
  for (const name of checklistNames.filter((one) => !dismissedChecklists.includes(one))) {
    const steps = await readSteps(db, organisationId, name)
    if (!steps.every(({ done }) => done)) checklists.push({ name, steps })
  }
  return checklists
}

/** Returns whether it was not already so. */
export async function setDismissed(
  db: Db,
  organisationId: string,
  { name, isDismissed }: { readonly name: ChecklistName; readonly isDismissed: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('organisation')
    .set({
      dismissedChecklists: isDismissed
        ? sql`array_append(dismissedChecklists, ${name})`
        : sql`array_remove(dismissedChecklists, ${name})`,
    })
    .where('id', '=', organisationId)
    .where(sql<boolean>`(${name} = ANY (dismissedChecklists)) <> ${isDismissed}`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function readSteps(db: Db, organisationId: string, name: ChecklistName): Promise<Camel<Checklist>['steps']> {
  const names: readonly ChecklistStep[] = checklistSteps[name]
  const { rows } = await sql<{ done: readonly (boolean | null)[] }>`
    SELECT ARRAY[${sql.join(names.map((step) => facts[step]))}] AS done
    FROM organisation WHERE organisation.id = ${organisationId}`.execute(db)
  const done = rows[0]?.done ?? []
  return names.flatMap((step, index) => {
    const isDone = done[index] ?? null
    return isDone === null ? [] : [{ name: step, done: isDone }]
  })
}

/** Whether the organisation of the query has completed a step; null if the step does not apply to it. */
const facts: Readonly<Record<ChecklistStep, RawBuilder<boolean | null>>> = {
  connectSource: sql`EXISTS (SELECT FROM connector WHERE organisationId = organisation.id AND status <> 'DELETED')`,
  firstRun: sql`EXISTS (SELECT FROM run WHERE organisationId = organisation.id AND completedAt IS NOT NULL AND status = 'COMPLETED')`,
  seeRows: sql`EXISTS (SELECT FROM connectorStream JOIN connector ON connector.id = connectorId
    WHERE connectorStream.organisationId = organisation.id AND rows > 0 AND connector.status <> 'DELETED')`,
  // Tributary sees only who reads its own warehouse, which the first run creates if the rows go there.
  connectReport: sql`(SELECT CASE WHEN warehouse.organisationId IS NOT NULL OR NOT EXISTS (SELECT FROM run
      WHERE run.organisationId = organisation.id AND completedAt IS NOT NULL AND status = 'COMPLETED')
    THEN readerSeenAt IS NOT NULL END FROM (SELECT) AS one LEFT JOIN warehouse ON warehouse.organisationId = organisation.id)`,
  inviteColleague: sql`((SELECT count(*) FROM membership WHERE organisationId = organisation.id) > 1
    OR EXISTS (SELECT FROM invitation WHERE organisationId = organisation.id))`,
  areas: sql`(EXISTS (SELECT FROM areaSubarea WHERE organisationId = organisation.id)
    OR EXISTS (SELECT FROM area JOIN subarea USING (organisationId) WHERE organisationId = organisation.id AND (allSubareas OR allAreas)))`,
  versions: sql`EXISTS (SELECT FROM milestone WHERE organisationId = organisation.id)`,
  tables: sql`EXISTS (SELECT FROM tableSync WHERE organisationId = organisation.id AND doneAt IS NOT NULL)`,
  groups: sql`EXISTS (SELECT FROM groupUser WHERE organisationId = organisation.id)`,
  firstLoad: sql`EXISTS (SELECT FROM load WHERE organisationId = organisation.id AND status IN ('LOADED', 'UNDONE'))`,
}

/**
 * Starts the trial: simulated sources and demonstration data. Loads the simulators, so import it only in trial mode.
 */
import type { AppServices } from '../app-services.ts'
import { seedConnectors, type TrialConnectorServices } from './connectors.ts'
import { seedPeople } from './people.ts'
import { seedRequests } from './requests.ts'
import { startTrialSources, type TrialEnvironment, type TrialSources } from './sources.ts'
import { seedStructure } from './structure.ts'

type TrialServices = Pick<AppServices, 'passwords' | 'store'> & TrialConnectorServices

export interface TrialServer extends TrialSources {
  /** Inserts the demonstration data that is missing. A start that was interrupted is completed by the next one. */
  seed(services: AppServices): Promise<void>
}

export async function startTrial(environment: TrialEnvironment): Promise<TrialServer> {
  const sources = await startTrialSources(environment)
  return { ...sources, seed: (services) => seedMissing(services, sources) }
}

async function seedMissing(services: TrialServices, { xero }: TrialSources): Promise<void> {
  const { store, passwords } = services
  // Across: looks for data of any organisation. Deleted connectors keep their rows.
  const isEmpty = (table: 'approval' | 'area' | 'connector' | 'portalUser') =>
    store.across(async (db) => (await db.selectFrom(table).select('id').limit(1).executeTakeFirst()) === undefined)
  const lacksConnectors = await isEmpty('connector')
  if (await isEmpty('portalUser')) await seedPeople(store, passwords)
  if (await isEmpty('approval')) await seedRequests(store)
  // Connectors are inserted last: if there is one, a missing structure was deleted by a user.
  if (lacksConnectors && (await isEmpty('area'))) await seedStructure(store)
  if (lacksConnectors) await seedConnectors(services, xero)
}

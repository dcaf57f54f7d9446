/** The words of the page of publications. Pure. */
import type { Publication, PublicationSet } from '@tributary/contract/publications'
import { formatList, formatMoment } from '../../ui/formats.ts'

/** What published views show now, in one sentence. */
export function describeState({ State, Connectors, PublishedAtUtc, StaysSinceUtc }: PublicationSet): string {
  const published = PublishedAtUtc === null ? '' : formatMoment(PublishedAtUtc, 'weekdayDateTime')
  switch (State) {
    case 'off':
      return 'Reports read the tables as each run leaves them.'
    case 'ending':
      return 'Publishing is switched off, and the views are being removed.'
    case 'waiting':
      return `There is no publication yet. It waits for ${formatList(heldNames(Connectors))}.`
    case 'current':
      return `Published ${published}. The views show the latest run of each connector.`
    case 'stays':
      return `Published ${published}. The views have stayed as they are since ${formatMoment(StaysSinceUtc ?? '', 'weekdayDateTime')}.`
  }
}

function heldNames(connectors: PublicationSet['Connectors']): readonly string[] {
  const inSet = connectors.filter(({ IsInSet }) => IsInSet)
  const held = inSet.filter(({ HeldBecause }) => HeldBecause !== null)
  return (held.length > 0 ? held : inSet).map(({ Name }) => Name)
}

const tieOutWords = {
  green: 'the tie-out agrees',
  amber: 'the tie-out does not differ',
  any: null,
} as const

/** What the latest runs must satisfy. */
export function describeRule({ TieOut, VerifiedWithinDays }: PublicationSet['Rule']): string {
  const demands = [
    'the latest run of each connector completed',
    ...(tieOutWords[TieOut] === null ? [] : [tieOutWords[TieOut]]),
    ...(VerifiedWithinDays === null
      ? []
      : [
          `each table was verified identical within ${VerifiedWithinDays === 1 ? 'a day' : `${VerifiedWithinDays} days`}`,
        ]),
  ]
  return `The views move forward together once ${formatList(demands)}.`
}

/** Where the views are. */
export function describePlace({ Schema, Target }: Pick<PublicationSet, 'Schema' | 'Target'>): string {
  return Schema === null
    ? `They are next to the tables in ${Target}, and their names begin with published_.`
    : `They are in the schema ${Schema} of ${Target}.`
}

type PublishedRun = Publication['Runs'][number]

const tieOuts = { green: 'agrees', amber: 'not compared', red: 'differs' } as const

/** 'tie-out agrees, 12 of 12 tables verified identical since 20 Nov 2026, 07:10' */
export function describeVerdicts({ TieOut, Tables, VerifiedTables, VerifiedSinceUtc }: PublishedRun): string {
  const verified =
    VerifiedSinceUtc === null
      ? 'not verified'
      : `${VerifiedTables} of ${Tables === 1 ? '1 table' : `${Tables} tables`} verified identical since ${formatMoment(VerifiedSinceUtc, 'dateTime')}`
  return `${TieOut === null ? 'no tie-out' : `tie-out ${tieOuts[TieOut]}`}, ${verified}`
}

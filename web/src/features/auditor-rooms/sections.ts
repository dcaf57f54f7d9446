/** The sections of a room. A new one is a line here and in `RoomSection` of the contract. */
import type { OwnAuditorRoom, RoomSection } from '@tributary/contract/auditor-rooms'
import type { ComponentType } from 'react'
import { CertificatesSection } from './certificates-section.tsx'
import { ClosedPeriodsSection } from './closed-periods-section.tsx'
import { EventsSection } from './events-section.tsx'
import { MarksSection } from './marks-section.tsx'
import { TablesSection } from './tables-section.tsx'
import { TieOutsSection } from './tie-outs-section.tsx'
import { VerificationsSection } from './verifications-section.tsx'

export const sections: Readonly<Record<RoomSection, ComponentType<{ readonly room: OwnAuditorRoom }>>> = {
  tieOuts: TieOutsSection,
  verifications: VerificationsSection,
  closedPeriods: ClosedPeriodsSection,
  marks: MarksSection,
  certificates: CertificatesSection,
  tables: TablesSection,
  events: EventsSection,
}

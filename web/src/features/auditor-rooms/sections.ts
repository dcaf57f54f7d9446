/** The sections of a room. A new one is a line here and in `RoomSection` of the contract. */
import type { OwnAuditorRoom, RoomSection } from '@tributary/contract/auditor-rooms'
import type { ComponentType } from 'react'
import { CertificatesSection } from './certificates-section.tsx'
import { EventsSection } from './events-section.tsx'
import { TablesSection } from './tables-section.tsx'
import { TieOutsSection } from './tie-outs-section.tsx'

export const sections: Readonly<Record<RoomSection, ComponentType<{ readonly room: OwnAuditorRoom }>>> = {
  tieOuts: TieOutsSection,
  certificates: CertificatesSection,
  tables: TablesSection,
  events: EventsSection,
}

/** Fake servers of warehouses, and where a warehouse is. */
import type { DataServer, Placement, WarehouseMove } from '@tributary/contract/data-servers'

export function dataServer(changes: Partial<DataServer> = {}): DataServer {
  return {
    Id: '00000000-0000-4000-8000-000000000601',
    Name: 'West',
    Region: 'Dublin',
    IsDefault: false,
    Host: 'west.example',
    Port: 5432,
    Database: 'postgres',
    User: 'warehouses',
    Tls: 'verified',
    CaCertificate: null,
    ReaderHost: null,
    ReaderPort: null,
    AcceptsNew: true,
    DatabasesMax: null,
    SizeMaxBytes: null,
    Databases: 0,
    SizeBytes: null,
    CheckedAtUtc: null,
    UnreachableSinceUtc: null,
    ...changes,
  }
}

export const defaultServer = dataServer({
  Id: '00000000-0000-4000-8000-000000000001',
  Name: 'Default',
  Region: null,
  IsDefault: true,
  Host: 'home.example',
  Database: null,
  User: null,
  Databases: 3,
})

export function placement(changes: Partial<Placement> = {}): Placement {
  return {
    Server: { Id: defaultServer.Id, Name: 'Default', Region: null },
    Database: 'w_0123456789abcdef',
    RegionWish: null,
    Host: 'home.example',
    Port: 5432,
    HasStableHost: false,
    Move: null,
    ...changes,
  }
}

/** From the default server to `dataServer()`. */
export function warehouseMove(changes: Partial<WarehouseMove> = {}): WarehouseMove {
  return {
    Id: '00000000-0000-4000-8000-000000000701',
    State: 'COPYING',
    FromServer: { Id: defaultServer.Id, Name: 'Default' },
    ToServer: { Id: dataServer().Id, Name: 'West' },
    KeepsReadable: false,
    TablesTotal: 12,
    TablesDone: 3,
    RowsCopied: 41_000,
    Notice: null,
    IsCancelling: false,
    RequestedAtUtc: '2026-11-29T08:00:00.000Z',
    SwitchedAtUtc: null,
    DropAtUtc: null,
    EndedAtUtc: null,
    ...changes,
  }
}

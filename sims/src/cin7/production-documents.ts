/** Assemblies, disassemblies and production orders in the API's format. */
import { dayMs } from './company.ts'
import type { Cin7Company, Cin7Product, Cin7Task, Cin7TaskLine } from './company.ts'
import { bookedOf } from './stock-documents.ts'
import { taskNumber } from './tasks.ts'
import { amount, day, numberedFields } from './value-format.ts'
import type { Cin7Row } from './value-format.ts'

/** The product of a task, which is its first line, and its components, the other lines. */
function partsOf({ lines }: Cin7Task): { made: Cin7TaskLine; of: readonly Cin7TaskLine[] } {
  const [made, ...of] = lines
  if (made === undefined) throw new Error('A task has a line at least.')
  return { made, of: of.length === 0 ? [made] : of }
}

export function assemblyRow(task: Cin7Task, { locations }: Cin7Company): Cin7Row {
  const { made } = partsOf(task)
  return {
    TaskID: task.ID,
    AssemblyNumber: taskNumber('assembly', task),
    Status: task.status,
    Date: day(task.at),
    Location: locations[0]?.Name ?? null,
    LocationID: locations[0]?.ID ?? null,
    ...madeOf(made),
    UnitCost: amount(made.product.costCents),
    BatchSN: null,
    ExpiryDate: null,
    Notes: '',
    ...numberedFields('CustomField', '', ''),
  }
}

export function assemblyDocument(task: Cin7Task, company: Cin7Company): Cin7Row {
  const { Date: _, UnitCost: __, ...row } = assemblyRow(task, company)
  const { of } = partsOf(task)
  return {
    ...row,
    Account: '630',
    AssemblyInstructionURL: '',
    Bin: null,
    BinID: null,
    CompletionDate: task.status === 'COMPLETED' ? day(task.at + dayMs) : null,
    WIPAccount: '630',
    WIPDate: day(task.at),
    Errors: [],
    OrderLines: of.map(({ product, quantity }) => ({
      ...componentOf(product),
      Quantity: quantity,
      TotalQuantity: quantity,
      TotalCost: amount(quantity * product.costCents),
      WastagePercent: 0,
      WastageQuantity: 0,
      ExpenseAccount: null,
    })),
    PickLines: of.map(({ product, quantity }) => ({
      ...componentOf(product),
      Quantity: quantity,
      Cost: amount(product.costCents),
      Bin: null,
      BinID: null,
      BatchSN: null,
      ExpiryDate: null,
    })),
    Transactions: bookedOf(task, company),
  }
}

export function disassemblyRow(task: Cin7Task, { locations }: Cin7Company): Cin7Row {
  return {
    TaskID: task.ID,
    DisassemblyNumber: taskNumber('disassembly', task),
    Status: task.status,
    Date: day(task.at),
    Location: locations[0]?.Name ?? null,
    LocationID: locations[0]?.ID ?? null,
    ...madeOf(partsOf(task).made),
  }
}

export function disassemblyDocument(task: Cin7Task, company: Cin7Company): Cin7Row {
  const { Date: _, ...row } = disassemblyRow(task, company)
  const { made, of } = partsOf(task)
  const stock = { Bin: null, BinID: null, BatchSN: null, ExpiryDate: null }
  return {
    ...row,
    AssemblyInstructionURL: '',
    CompletionDate: task.status === 'COMPLETED' ? day(task.at + dayMs) : null,
    WIPAccount: '630',
    Errors: [],
    OrderLines: of.map(({ product, quantity }) => ({
      ...componentOf(product),
      ...stock,
      Quantity: quantity,
      Cost: amount(product.costCents),
      Account: '630',
    })),
    OrderServiceLines: [
      { ProductID: made.product.ID, Name: 'Taking apart', Account: '425', Amount: 12.5, Comments: '' },
    ],
    PickLines: [
      {
        ...stock,
        Date: day(task.at),
        Quantity: made.quantity,
        Available: 100,
        UnitCost: 1.25,
        TotalCost: amount(made.quantity * 125),
      },
    ],
    Transactions: bookedOf(task, company),
  }
}

export function productionRow(task: Cin7Task, { locations }: Cin7Company): Cin7Row {
  const { made } = partsOf(task)
  return {
    ProductionOrderID: task.ID,
    OrderNumber: taskNumber('production', task),
    Status: task.status,
    OrderStatus: task.status,
    ProductID: made.product.ID,
    ProductName: made.product.Name,
    ProductSKU: made.product.sku,
    Unit: 'Item',
    Quantity: made.quantity,
    LocationID: locations[0]?.ID ?? null,
    LocationName: locations[0]?.Name ?? null,
    StartDate: day(task.at),
    RequiredByDate: day(task.at + 5 * dayMs),
    ReleaseDate: null,
    CompletionDate: task.status === 'COMPLETED' ? day(task.at + 4 * dayMs) : null,
  }
}

export function productionDocument(task: Cin7Task, company: Cin7Company): Cin7Row {
  const { idOf, sales } = company
  return {
    ...productionRow(task, company),
    BOMName: 'Standard',
    BOMVersion: 1,
    BOMQuantity: 1,
    RunSize: 1,
    OrderCycleTime: 3_600,
    CostingMethod: 'FIFO',
    CapacityCalculationType: 'Forward',
    Comments: '',
    FinishedGoodsAccountCode: '630',
    WIPAccountCode: '630',
    WarehouseID: company.locations[0]?.ID ?? null,
    WarehouseName: company.locations[0]?.Name ?? null,
    PlannedBy: 'Sam',
    ReleasedBy: null,
    SourceTaskID: null,
    SourceTaskNumber: null,
    SourceTasks: sales
      .slice(0, 1)
      .map(({ ID, number }) => ({ SourceTaskID: ID, SourceTaskNumber: `SO-${String(number).padStart(5, '0')}` })),
    SourceName: '4',
    RetailID: null,
    Deliveries: [],
    IsIgnoreLeadTime: false,
    IssueMethodComponent: 2,
    IssueMethodParameter: 1,
    StartUpdate: false,
    Tags: '',
    ...numberedFields('CustomField', '', ''),
    Operations: ['Cut', 'Join'].map((name, index) => ({
      OperationID: idOf(`operation of ${task.ID}`, index),
      Name: name,
      OperationType: 'Internal',
      Order: index + 1,
      WorkCenterID: idOf('work centre', index),
      WorkCenterCode: `WC-${index + 1}`,
      WorkCenterName: `Bench ${index + 1}`,
      CycleTime: 600,
      TotalCycleTime: 600,
      UnitsPerCycle: 1,
      TotalUnitsPerCycle: 1,
      IsBackflush: false,
      IsDropShip: false,
      WorkCenterCoManProcurementType: null,
      ComponentLocationID: company.locations[0]?.ID ?? null,
      ...firstOperationFields(task, index, idOf),
      Components:
        index === 0
          ? partsOf(task).of.map((line, at) => producedFrom(line, idOf(`component of ${task.ID}`, at), at + 1))
          : [],
      Resources: [resourceOf(idOf(`resource of ${task.ID}`, index), idOf('resource', index))],
    })),
  }
}

/** Fields of the first operation only: instructions, files, dependencies and by-products. */
function firstOperationFields(task: Cin7Task, index: number, idOf: Cin7Company['idOf']): Cin7Row {
  const none = {
    Notes: [],
    Attachments: [],
    OperationLinks: [],
    InputProducts: [],
    OutputProducts: [],
    FinishedProducts: [],
  }
  if (index > 0) return none
  const { product } = partsOf(task).made
  return {
    ...none,
    Attachments: [
      {
        AttachmentID: idOf(`drawing of ${task.ID}`),
        FileName: 'drawing.pdf',
        ContentType: 'application/pdf',
        Content: null,
        Date: day(task.at),
        Position: 3,
      },
    ],
    Notes: [{ NoteID: idOf(`note of ${task.ID}`), Note: 'Mind the grain.', Position: 1 }],
    OperationLinks: [{ ID: idOf(`link of ${task.ID}`), RelatedOperationID: null, RelationType: 1 }],
    OutputProducts: [
      {
        ID: idOf(`output of ${task.ID}`),
        ProductID: product.ID,
        ProductSKU: product.sku,
        ProductName: product.Name,
        OutputQuantity: 2,
      },
    ],
  }
}

function madeOf({ product, quantity }: Cin7TaskLine): Cin7Row {
  return { ProductID: product.ID, ProductCode: product.sku, ProductName: product.Name, Quantity: quantity }
}

function componentOf({ ID, sku, Name }: Cin7Product): Cin7Row {
  return { ProductID: ID, ProductCode: sku, Name, Unit: 'Item' }
}

function producedFrom({ product, quantity }: Cin7TaskLine, id: string, position: number): Cin7Row {
  return {
    OrderComponentID: id,
    Position: position,
    ProductID: product.ID,
    ProductSKU: product.sku,
    ProductName: product.Name,
    ProductType: 'Stock',
    Unit: 'Item',
    Quantity: quantity,
    TotalQuantity: quantity,
    Available: 100,
    Cost: amount(product.costCents),
    ProductCost: amount(product.costCents),
    TotalCost: amount(quantity * product.costCents),
    CostingMethod: 'FIFO',
    SalePriceTier: 0,
    WastagePercent: 0,
    WastageQty: 0,
    IsAlternative: false,
    IsBackflush: false,
  }
}

function resourceOf(id: string, resourceId: string): Cin7Row {
  return {
    OrderResourceID: id,
    Position: 1,
    ResourceID: resourceId,
    ResourceCode: 'SAW',
    ResourceName: 'Saw',
    Quantity: 1,
    CycleTime: 600,
    Cost: 12,
    ResourceCost: 12,
    TotalCost: 12,
    CostCalculationType: 'Cycle',
  }
}

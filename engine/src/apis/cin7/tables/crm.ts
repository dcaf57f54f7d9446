/** Leads, opportunities, tasks and workflows. */
import { childTable, parentTable } from '../../http/documents.ts'
import {
  day,
  flag,
  guid,
  instant,
  money,
  numberedFields,
  ordinal,
  rate,
  text,
  json,
  integer,
} from '../../http/fields.ts'
import { addressFields, contactFields } from './contacts.ts'
import { listStream, rowsWithin } from './stream-kinds.ts'
import type { Cin7Stream } from './stream-kinds.ts'

const leadId = guid('ID', { as: 'lead_id', of: 'document', key: true })
const lead = parentTable(
  'lead',
  [
    guid('ID', { key: true }),
    text('Name', 256),
    text('LeadStatus', 50),
    money('Amount'),
    money('CloseChance'),
    day('CloseDate'),
    text('Currency', 3),
    text('PaymentTerm', 256),
    text('PriceTier', 50),
    text('SalesRepresentative', 256),
    text('TaxRule', 256),
    text('Comments'),
  ],
  [
    childTable(
      'lead_address',
      [leadId, ordinal, guid('ID', { as: 'address_id' }), ...addressFields],
      rowsWithin('Addresses'),
    ),
    childTable(
      'lead_contact',
      [leadId, ordinal, guid('ID', { as: 'contact_id' }), ...contactFields],
      rowsWithin('Contacts'),
    ),
  ],
)

const opportunityId = guid('ID', { as: 'opportunity_id', of: 'document', key: true })
const priced = [
  money('Quantity'),
  money('Discount'),
  money('Tax'),
  money('TaxPercent'),
  text('TaxRule', 256),
  money('Total'),
  text('Comment'),
]
const opportunity = parentTable(
  'opportunity',
  [
    guid('ID', { key: true }),
    guid('LeadID'),
    text('OpportunityNumber', 50, { as: 'number' }),
    text('OpportunityStatus', 50, { as: 'status' }),
    day('OpportunityDate', { as: 'date' }),
    text('OpportunityLocation', 256, { as: 'location' }),
    text('OpportunityMemo', undefined, { as: 'memo' }),
    text('OpportunityComment', undefined, { as: 'comment' }),
    guid('CustomerID'),
    text('CustomerName', 256),
    text('CustomerReference'),
    text('CustomerCurrency', 3),
    text('Contact', 256),
    text('Phone', 50),
    text('Currency', 3),
    rate('CurrencyConversionRate'),
    text('DefaultAccount', 50),
    text('PriceTier', 50),
    text('SalesRepresentative', 256),
    text('Terms', 256),
    integer('TermMethod'),
    integer('TermDays'),
    integer('TermDueNextMonth'),
    text('TaxRule', 256),
    flag('TaxInclusive'),
    money('TaxPercent'),
    money('TaxTotal'),
    money('Total'),
    ...['BillingAddressLine1', 'BillingAddressLine2', 'ShippingAddressLine1', 'ShippingAddressLine2'].map((path) =>
      text(path),
    ),
    ...['Company', 'Contact', 'Address1', 'Address2', 'City', 'State', 'PostCode', 'Country'].map((part) =>
      text(`ShipTo${part}`, 256),
    ),
    flag('ShipToOther'),
    ...numberedFields('CustomField', 10, text),
  ],
  [
    childTable(
      'opportunity_line',
      [
        opportunityId,
        ordinal,
        guid('ID', { as: 'line_id' }),
        guid('ProductID'),
        text('ProductSku', 50, { as: 'sku' }),
        text('ProductName', 256),
        money('Price'),
        ...priced,
      ],
      rowsWithin('Lines'),
    ),
    childTable(
      'opportunity_charge',
      [opportunityId, ordinal, guid('ID', { as: 'charge_id' }), text('Description'), money('Amount'), ...priced],
      rowsWithin('AdditionalCharges'),
    ),
  ],
)

const task = parentTable('crm_task', [
  guid('ID', { key: true }),
  text('Name', 256),
  text('Description'),
  text('Category', 256),
  text('TaskStatus', 50, { as: 'status' }),
  text('AssignedBy', 256),
  text('AssignedTo', 256),
  guid('EntityID'),
  text('EntityType', 50),
  instant('StartDate'),
  instant('EndDate'),
  instant('CompletedDate'),
  instant('VoidDate'),
  flag('IsAllDay'),
  flag('IsImportant'),
  text('WorkflowName', 256),
  json('Steps'),
])

const workflow = parentTable(
  'crm_workflow',
  [guid('ID', { key: true }), text('Name', 256), text('EntityType', 50), text('DueDaysType', 50), flag('IsActive')],
  [
    childTable(
      'crm_workflow_step',
      [
        guid('ID', { as: 'crm_workflow_id', of: 'document', key: true }),
        ordinal,
        guid('ID', { as: 'step_id' }),
        text('Name', 256),
        text('Category', 256),
        integer('Days'),
        text('StartTime', 50),
        text('EndTime', 50),
        text('SkipHoliday', 50),
        text('UserName', 256),
      ],
      rowsWithin('Steps'),
    ),
  ],
)

/**
 * The API reference (2024-08, section CRM) describes reading `crm/task` twice, once with tasks and once with
 * workflows. The second is under the heading `crm/workflow`, to which workflows are also written, so its path is
 * probably a copy error.
 * Both paths are supported.
 */
export const crmStreams: readonly Cin7Stream[] = [
  listStream('lead', lead, { path: 'crm/lead', rows: 'LeadList', since: 'ModifiedSince' }),
  listStream('opportunity', opportunity, { path: 'crm/opportunity', rows: 'opportunityList', since: 'ModifiedSince' }),
  listStream('crmTask', task, { path: 'crm/task', rows: 'Tasks', alternateRows: 'Workflows' }),
  {
    ...listStream('crmWorkflow', workflow, { path: 'crm/workflow', alternatePath: 'crm/task', rows: 'Workflows' }),
    optional: true,
  },
]

-- The tables of 0.3.0 and their indexes: the first revision makes them on both stores. These words stand for types
-- and values that each store has its own for (`first_tables.py`): COUNTER, INSTANT, JSONB, BYTES, DOUBLE, ORDERED
-- (sorted by code points), TRUE and FALSE; WITHOUT ROWID is for SQLite alone.

CREATE TABLE attribute_column (
  organisation_id VARCHAR(36) DEFAULT '' NOT NULL, name TEXT NOT NULL, kind VARCHAR(8) NOT NULL,
  reason TEXT,
  CONSTRAINT pk_attribute_column PRIMARY KEY (organisation_id, name)
);

CREATE TABLE audit_entry (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, at INSTANT NOT NULL,
  actor_kind VARCHAR(7) NOT NULL, actor_id VARCHAR(36) NOT NULL, actor_name TEXT NOT NULL,
  action VARCHAR(60) NOT NULL, summary TEXT NOT NULL, object_kind VARCHAR(20) NOT NULL,
  object_id VARCHAR(200), object_name TEXT, request_id TEXT NOT NULL, details JSONB NOT NULL,
  CONSTRAINT pk_audit_entry PRIMARY KEY (id)
);
CREATE INDEX ix_audit_entry_by_action ON audit_entry (organisation_id, action, at, id);
CREATE INDEX ix_audit_entry_by_actor ON audit_entry (organisation_id, actor_id, at, id);
CREATE INDEX ix_audit_entry_by_kind ON audit_entry (organisation_id, object_kind, at, id);
CREATE INDEX ix_audit_entry_by_object ON audit_entry (organisation_id, object_id, at, id);
CREATE INDEX ix_audit_entry_by_time ON audit_entry (organisation_id, at, id);
CREATE INDEX ix_audit_entry_object ON audit_entry (organisation_id, object_id, id);
CREATE INDEX ix_audit_entry_organisation ON audit_entry (organisation_id, id);

CREATE TABLE audit_link (
  organisation_id VARCHAR(36) NOT NULL, number BIGINT NOT NULL, entry_id VARCHAR(36) NOT NULL,
  hash VARCHAR(64) NOT NULL,
  CONSTRAINT pk_audit_link PRIMARY KEY (organisation_id, number),
  CONSTRAINT uq_audit_link_entry_id UNIQUE (entry_id)
);

CREATE TABLE calibration (
  id VARCHAR(36) NOT NULL, made_at INSTANT NOT NULL, sample BOOLEAN DEFAULT FALSE NOT NULL,
  learnt TEXT NOT NULL, backtest JSONB NOT NULL, learnt_on INTEGER NOT NULL, learnt_until DATE,
  CONSTRAINT pk_calibration PRIMARY KEY (id)
);

CREATE TABLE common_word (
  word TEXT NOT NULL, articles INTEGER NOT NULL,
  CONSTRAINT pk_common_word PRIMARY KEY (word)
);

CREATE TABLE company_gram (
  gram ORDERED NOT NULL, company_id VARCHAR(36) NOT NULL,
  CONSTRAINT pk_company_gram PRIMARY KEY (gram, company_id)
) WITHOUT ROWID;

CREATE TABLE entry_count (
  id COUNTER NOT NULL, list_id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36), number INTEGER NOT NULL,
  CONSTRAINT pk_entry_count PRIMARY KEY (id)
);
CREATE INDEX ix_entry_count_list_id_organisation_id ON entry_count (list_id, organisation_id);

CREATE TABLE exchange_rate (
  organisation_id VARCHAR(36) NOT NULL, base VARCHAR(3) NOT NULL, currency VARCHAR(3) NOT NULL,
  day DATE NOT NULL, import_id VARCHAR(36) NOT NULL, rate DOUBLE NOT NULL, imported_at INSTANT NOT NULL,
  CONSTRAINT pk_exchange_rate PRIMARY KEY (organisation_id, base, currency, day, import_id)
);
CREATE INDEX ix_exchange_rate_organisation_id_imported_at ON exchange_rate (organisation_id, imported_at);

CREATE TABLE fingerprint (
  name VARCHAR(20) NOT NULL, value VARCHAR(64) NOT NULL,
  CONSTRAINT pk_fingerprint PRIMARY KEY (name)
);

CREATE TABLE idempotent_call (
  api_key_id VARCHAR(36) NOT NULL, path TEXT NOT NULL, idempotency_key TEXT NOT NULL,
  body_digest VARCHAR(64) NOT NULL, answer BYTES, started_at INSTANT NOT NULL,
  CONSTRAINT pk_idempotent_call PRIMARY KEY (api_key_id, path, idempotency_key)
);
CREATE INDEX ix_idempotent_call_started_at ON idempotent_call (started_at);

CREATE TABLE mail_recipient (
  organisation_id VARCHAR(36) NOT NULL, address VARCHAR(320) NOT NULL, token VARCHAR(43) NOT NULL,
  refused_at INSTANT,
  CONSTRAINT pk_mail_recipient PRIMARY KEY (organisation_id, address),
  CONSTRAINT uq_mail_recipient_token UNIQUE (token)
);

CREATE TABLE organisation (
  id VARCHAR(36) NOT NULL, name TEXT NOT NULL, created_at INSTANT NOT NULL,
  CONSTRAINT pk_organisation PRIMARY KEY (id),
  CONSTRAINT uq_organisation_name UNIQUE (name)
);

CREATE TABLE purchase_recount (
  counted_on DATE NOT NULL,
  CONSTRAINT pk_purchase_recount PRIMARY KEY (counted_on)
);

CREATE TABLE request_count (
  api_key_id VARCHAR(36) NOT NULL, minute BIGINT NOT NULL, requests INTEGER NOT NULL,
  CONSTRAINT pk_request_count PRIMARY KEY (api_key_id, minute)
);

CREATE TABLE schema_support (
  oldest_code VARCHAR(32) NOT NULL,
  CONSTRAINT pk_schema_support PRIMARY KEY (oldest_code)
);

CREATE TABLE task (
  kind TEXT NOT NULL, subject_id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36), worker_id VARCHAR(36),
  created_at INSTANT NOT NULL, due_at INSTANT NOT NULL, attempts INTEGER NOT NULL,
  CONSTRAINT pk_task PRIMARY KEY (kind, subject_id)
);
CREATE INDEX ix_task_due_at ON task (due_at);

CREATE TABLE used_ticket (
  holder VARCHAR(36) NOT NULL, digest VARCHAR(64) NOT NULL, used_at INSTANT NOT NULL,
  CONSTRAINT pk_used_ticket PRIMARY KEY (holder, digest)
);
CREATE INDEX ix_used_ticket_used_at ON used_ticket (used_at);

CREATE TABLE user_account (
  id VARCHAR(36) NOT NULL, name TEXT NOT NULL, email TEXT, created_at INSTANT NOT NULL,
  CONSTRAINT pk_user_account PRIMARY KEY (id)
);

CREATE TABLE worker (
  id VARCHAR(36) NOT NULL, slot TEXT NOT NULL, started_at INSTANT NOT NULL, seen_at INSTANT NOT NULL,
  version TEXT DEFAULT '' NOT NULL, task_kinds JSONB, takes_work BOOLEAN DEFAULT TRUE NOT NULL,
  CONSTRAINT pk_worker PRIMARY KEY (id)
);

CREATE TABLE written_bytes (
  id COUNTER NOT NULL, organisation_id VARCHAR(36) NOT NULL, number BIGINT NOT NULL,
  CONSTRAINT pk_written_bytes PRIMARY KEY (id)
);
CREATE INDEX ix_written_bytes_organisation_id ON written_bytes (organisation_id);

CREATE TABLE agent_call (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, at INSTANT NOT NULL,
  actor_kind VARCHAR(7) NOT NULL, actor_id VARCHAR(36) NOT NULL, actor_name TEXT NOT NULL,
  tool VARCHAR(60) NOT NULL, outcome VARCHAR(20) NOT NULL, status INTEGER, seconds DOUBLE NOT NULL,
  CONSTRAINT pk_agent_call PRIMARY KEY (id),
  CONSTRAINT fk_agent_call_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_agent_call_organisation_id_id ON agent_call (organisation_id, id);

CREATE TABLE agreement_purchase (
  agreement_id VARCHAR(36) NOT NULL, line INTEGER NOT NULL, organisation_id VARCHAR(36) NOT NULL,
  product_id VARCHAR(36), purchase_id VARCHAR(36), own BOOLEAN NOT NULL, reason TEXT, alike JSONB NOT NULL,
  CONSTRAINT pk_agreement_purchase PRIMARY KEY (agreement_id, line),
  CONSTRAINT fk_agreement_purchase_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_agreement_purchase_organisation_id_product_id ON agreement_purchase (organisation_id,
  product_id);
CREATE INDEX ix_agreement_purchase_purchase_id ON agreement_purchase (purchase_id);

CREATE TABLE api_key (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, name TEXT NOT NULL,
  digest VARCHAR(64) NOT NULL, hint VARCHAR(12) NOT NULL, read_only BOOLEAN NOT NULL, role VARCHAR(6),
  sample BOOLEAN DEFAULT FALSE NOT NULL, created_at INSTANT NOT NULL, revoked_at INSTANT,
  expires_at INSTANT, networks TEXT, used_at INSTANT, used_address VARCHAR(45),
  CONSTRAINT pk_api_key PRIMARY KEY (id),
  CONSTRAINT uq_api_key_digest UNIQUE (digest),
  CONSTRAINT fk_api_key_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_api_key_organisation_id ON api_key (organisation_id);

CREATE TABLE approval (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, kind VARCHAR(8) NOT NULL,
  operation VARCHAR(60) NOT NULL, method VARCHAR(6) NOT NULL, path TEXT NOT NULL, body BYTES,
  body_digest VARCHAR(64) NOT NULL, decision JSONB NOT NULL, end_user JSONB, asked_kind VARCHAR(6) NOT NULL,
  asked_by VARCHAR(36) NOT NULL, asked_at INSTANT NOT NULL, expires_at INSTANT NOT NULL,
  status VARCHAR(8) NOT NULL, settled_kind VARCHAR(6), settled_by VARCHAR(36), settled_at INSTANT, reason TEXT,
  CONSTRAINT pk_approval PRIMARY KEY (id),
  CONSTRAINT fk_approval_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_approval_expires_at ON approval (expires_at);
CREATE INDEX ix_approval_organisation_id_status_asked_at_id ON approval (organisation_id, status, asked_at, id);

CREATE TABLE approval_rules (
  organisation_id VARCHAR(36) NOT NULL, awards BOOLEAN NOT NULL, webhooks BOOLEAN NOT NULL,
  prices_above TEXT, currency VARCHAR(3) NOT NULL, updated_at INSTANT NOT NULL,
  CONSTRAINT pk_approval_rules PRIMARY KEY (organisation_id),
  CONSTRAINT fk_approval_rules_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);

CREATE TABLE calendar_feed (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, token_hash VARCHAR(64) NOT NULL,
  created_at INSTANT NOT NULL, maker_kind VARCHAR(6), maker_id VARCHAR(36), used_at INSTANT,
  CONSTRAINT pk_calendar_feed PRIMARY KEY (id),
  CONSTRAINT uq_calendar_feed_token_hash UNIQUE (token_hash),
  CONSTRAINT fk_calendar_feed_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_calendar_feed_organisation_id_created_at_id ON calendar_feed (organisation_id, created_at,
  id);

CREATE TABLE category (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36), parent_id VARCHAR(36), name TEXT NOT NULL,
  description TEXT NOT NULL, sort_name ORDERED NOT NULL, last_updated_at INSTANT NOT NULL,
  wire_list TEXT NOT NULL,
  CONSTRAINT pk_category PRIMARY KEY (id),
  CONSTRAINT fk_category_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_category_parent_id FOREIGN KEY (parent_id) REFERENCES category (id)
);
CREATE INDEX ix_category_own ON category (organisation_id) WHERE organisation_id IS NOT NULL;
CREATE INDEX ix_category_parent_id ON category (parent_id);
CREATE INDEX ix_category_parent_id_sort_name_id ON category (parent_id, sort_name, id);

CREATE TABLE comment (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, object_kind VARCHAR(11) NOT NULL,
  object_id VARCHAR(36) NOT NULL, author_kind VARCHAR(6) NOT NULL, author_id VARCHAR(36) NOT NULL,
  author_name TEXT NOT NULL, on_behalf_of TEXT, text TEXT NOT NULL, named JSONB,
  created_at INSTANT NOT NULL, deleted_at INSTANT,
  CONSTRAINT pk_comment PRIMARY KEY (id),
  CONSTRAINT fk_comment_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_comment_organisation_id_object_id_created_at_id ON comment (organisation_id, object_id,
  created_at, id);

CREATE TABLE deadline_mail (
  organisation_id VARCHAR(36) NOT NULL, enabled BOOLEAN NOT NULL,
  CONSTRAINT pk_deadline_mail PRIMARY KEY (organisation_id),
  CONSTRAINT fk_deadline_mail_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);

CREATE TABLE event (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL,
  test BOOLEAN NOT NULL, created_at INSTANT NOT NULL,
  CONSTRAINT pk_event PRIMARY KEY (id),
  CONSTRAINT fk_event_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_event_created_at ON event (created_at);

CREATE TABLE file (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, filename TEXT NOT NULL,
  media_type TEXT NOT NULL, size BIGINT NOT NULL, sha256 VARCHAR(64) NOT NULL, end_user JSONB,
  sample BOOLEAN DEFAULT FALSE NOT NULL, created_at INSTANT NOT NULL,
  CONSTRAINT pk_file PRIMARY KEY (id),
  CONSTRAINT fk_file_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_file_organisation_id_sha256 ON file (organisation_id, sha256);

CREATE TABLE identity (
  issuer VARCHAR(500) NOT NULL, subject VARCHAR(255) NOT NULL, user_id VARCHAR(36) NOT NULL,
  CONSTRAINT pk_identity PRIMARY KEY (issuer, subject),
  CONSTRAINT fk_identity_user_id FOREIGN KEY (user_id) REFERENCES user_account (id)
);
CREATE INDEX ix_identity_user_id ON identity (user_id);

CREATE TABLE letter (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, kind VARCHAR(8) NOT NULL,
  object_kind VARCHAR(11) NOT NULL, object_id VARCHAR(36) NOT NULL, reason VARCHAR(60),
  comment_id VARCHAR(36), named_by TEXT, recipient_name TEXT, subject TEXT, body TEXT,
  status VARCHAR(8) NOT NULL, recipient TEXT, attempts INTEGER NOT NULL, error TEXT, next_at INSTANT,
  created_at INSTANT NOT NULL, sent_at INSTANT,
  CONSTRAINT pk_letter PRIMARY KEY (id),
  CONSTRAINT fk_letter_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_letter_next_at ON letter (next_at);
CREATE INDEX ix_letter_object_id ON letter (object_id);
CREATE INDEX ix_letter_organisation_id_created_at ON letter (organisation_id, created_at);

CREATE TABLE membership (
  user_id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, role VARCHAR(6) NOT NULL,
  created_at INSTANT NOT NULL,
  CONSTRAINT pk_membership PRIMARY KEY (user_id, organisation_id),
  CONSTRAINT fk_membership_user_id FOREIGN KEY (user_id) REFERENCES user_account (id),
  CONSTRAINT fk_membership_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_membership_organisation_id ON membership (organisation_id);

CREATE TABLE organisation_view (
  organisation_id VARCHAR(36) NOT NULL, record_id VARCHAR(36) NOT NULL, dimensions JSON,
  dimension_source JSON, currency VARCHAR(3), default_price DOUBLE, purchase_count INTEGER,
  estimate_available BOOLEAN, stale BOOLEAN DEFAULT FALSE NOT NULL, last_updated_at INSTANT, wire_read TEXT,
  wire_list TEXT,
  CONSTRAINT pk_organisation_view PRIMARY KEY (organisation_id, record_id),
  CONSTRAINT fk_organisation_view_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_organisation_view_record_id ON organisation_view (record_id);

CREATE TABLE requirement (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, name TEXT NOT NULL, content JSON NOT NULL,
  created_at INSTANT NOT NULL, updated_at INSTANT NOT NULL, sample BOOLEAN DEFAULT FALSE NOT NULL,
  CONSTRAINT pk_requirement PRIMARY KEY (id),
  CONSTRAINT fk_requirement_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_requirement_organisation_id_id ON requirement (organisation_id, id);

CREATE TABLE scope (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, source VARCHAR(8) NOT NULL,
  created_on INSTANT NOT NULL, currency VARCHAR(3) NOT NULL, scope_terms JSONB NOT NULL,
  product_terms JSONB NOT NULL, previous_scope_id VARCHAR(36), next_scope_id VARCHAR(36), end_user JSONB,
  sample BOOLEAN DEFAULT FALSE NOT NULL, document_scope_id VARCHAR(36), quote_lines JSONB, name TEXT,
  archived_at INSTANT, owners JSONB, title TEXT DEFAULT '' NOT NULL,
  status VARCHAR(14) DEFAULT 'ready' NOT NULL, company_id VARCHAR(36), supplier_name TEXT,
  search_text TEXT DEFAULT '' NOT NULL,
  CONSTRAINT pk_scope PRIMARY KEY (id),
  CONSTRAINT fk_scope_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_scope_previous_scope_id FOREIGN KEY (previous_scope_id) REFERENCES scope (id)
);
CREATE INDEX ix_scope_company ON scope (organisation_id, company_id, status, created_on, id, archived_at);
CREATE INDEX ix_scope_newest ON scope (organisation_id, created_on, id, archived_at, search_text);
CREATE INDEX ix_scope_status ON scope (organisation_id, status, created_on, id, archived_at, search_text);

CREATE TABLE search_entry (
  id COUNTER NOT NULL, kind VARCHAR(11) NOT NULL, record_id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36), title TEXT NOT NULL, detail TEXT NOT NULL, name ORDERED NOT NULL,
  text TEXT NOT NULL, negotiation_id VARCHAR(36), created_at INSTANT,
  place ORDERED GENERATED ALWAYS AS (kind || replace(coalesce(organisation_id, 'everybody'), '-', '')) STORED
    NOT NULL,
  CONSTRAINT pk_search_entry PRIMARY KEY (id),
  CONSTRAINT uq_search_entry_record_id_kind UNIQUE (record_id, kind),
  CONSTRAINT fk_search_entry_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_search_entry_place_name_record_id ON search_entry (place, name, record_id);

CREATE TABLE second_opinion_settings (
  organisation_id VARCHAR(36) NOT NULL, enabled BOOLEAN NOT NULL, address TEXT, model TEXT, key BYTES,
  calls_per_day INTEGER NOT NULL, updated_at INSTANT NOT NULL,
  CONSTRAINT pk_second_opinion_settings PRIMARY KEY (organisation_id),
  CONSTRAINT fk_second_opinion_settings_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);

CREATE TABLE second_opinion_usage (
  organisation_id VARCHAR(36) NOT NULL, day DATE NOT NULL, calls INTEGER NOT NULL,
  CONSTRAINT pk_second_opinion_usage PRIMARY KEY (organisation_id, day),
  CONSTRAINT fk_second_opinion_usage_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);

CREATE TABLE webhook (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, url TEXT NOT NULL, events JSONB NOT NULL,
  secret BYTES NOT NULL, enabled BOOLEAN NOT NULL, disabled_reason TEXT, failing_since INSTANT,
  slow_until INSTANT, worker_id VARCHAR(36), sample BOOLEAN DEFAULT FALSE NOT NULL,
  created_at INSTANT NOT NULL, deleted_at INSTANT, retired_secrets JSONB,
  CONSTRAINT pk_webhook PRIMARY KEY (id),
  CONSTRAINT fk_webhook_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_webhook_organisation_id ON webhook (organisation_id);

CREATE TABLE working_days (
  organisation_id VARCHAR(36) NOT NULL, days_off JSONB NOT NULL,
  CONSTRAINT pk_working_days PRIMARY KEY (organisation_id),
  CONSTRAINT fk_working_days_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);

CREATE TABLE company (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36), name TEXT NOT NULL, sort_name ORDERED NOT NULL,
  name_key TEXT NOT NULL, legal_name TEXT NOT NULL, domain TEXT NOT NULL, category_id VARCHAR(36),
  discontinued BOOLEAN NOT NULL, sample BOOLEAN NOT NULL, details JSON NOT NULL,
  real_purchase_count INTEGER DEFAULT 0 NOT NULL, last_updated_at INSTANT NOT NULL, wire_read TEXT NOT NULL,
  wire_list TEXT NOT NULL,
  CONSTRAINT pk_company PRIMARY KEY (id),
  CONSTRAINT fk_company_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_company_category_id FOREIGN KEY (category_id) REFERENCES category (id)
);
CREATE INDEX ix_company_category_id ON company (category_id);
CREATE INDEX ix_company_domain ON company (domain);
CREATE INDEX ix_company_name_key ON company (name_key);
CREATE INDEX ix_company_own ON company (organisation_id) WHERE organisation_id IS NOT NULL;
CREATE INDEX ix_company_sort_name_id_organisation_id ON company (sort_name, id, organisation_id);

CREATE TABLE data_import (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, file_id VARCHAR(36) NOT NULL,
  kind VARCHAR(10), status VARCHAR(10) NOT NULL, mapping JSONB NOT NULL, ignored_columns JSONB NOT NULL,
  base_currency VARCHAR(3), date_order VARCHAR(11), answers JSONB, preview JSON, rows_done INTEGER DEFAULT 0 NOT NULL,
  row_bytes BIGINT, result JSON, removal JSON, ends_as VARCHAR(10), error TEXT, end_user JSONB, created_at INSTANT NOT NULL,
  updated_at INSTANT NOT NULL, completed_at INSTANT, removed_at INSTANT,
  CONSTRAINT pk_data_import PRIMARY KEY (id),
  CONSTRAINT fk_data_import_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_data_import_file_id FOREIGN KEY (file_id) REFERENCES file (id)
);
CREATE INDEX ix_data_import_organisation_id_created_at_id ON data_import (organisation_id, created_at, id);

CREATE TABLE delivery (
  id VARCHAR(36) NOT NULL, webhook_id VARCHAR(36) NOT NULL, event_id VARCHAR(36) NOT NULL,
  status VARCHAR(10) NOT NULL, attempts INTEGER NOT NULL, step INTEGER NOT NULL,
  schedule_round INTEGER DEFAULT 0 NOT NULL, response_status INTEGER NOT NULL, next_at INSTANT,
  last_attempt_at INSTANT, successful_at INSTANT, created_at INSTANT NOT NULL, updated_at INSTANT NOT NULL,
  CONSTRAINT pk_delivery PRIMARY KEY (id),
  CONSTRAINT uq_delivery_webhook_id_event_id UNIQUE (webhook_id, event_id),
  CONSTRAINT fk_delivery_webhook_id FOREIGN KEY (webhook_id) REFERENCES webhook (id),
  CONSTRAINT fk_delivery_event_id FOREIGN KEY (event_id) REFERENCES event (id)
);
CREATE INDEX ix_delivery_due ON delivery (webhook_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX ix_delivery_event_id ON delivery (event_id);
CREATE INDEX ix_delivery_failed ON delivery (webhook_id) WHERE status = 'failed';
CREATE INDEX ix_delivery_webhook_id_created_at_id ON delivery (webhook_id, created_at, id);

CREATE TABLE inbox_message (
  id VARCHAR(36) NOT NULL, webhook_id VARCHAR(36) NOT NULL, received_at INSTANT NOT NULL,
  headers JSONB NOT NULL, body TEXT NOT NULL, fault TEXT,
  CONSTRAINT pk_inbox_message PRIMARY KEY (id),
  CONSTRAINT fk_inbox_message_webhook_id FOREIGN KEY (webhook_id) REFERENCES webhook (id)
);
CREATE INDEX ix_inbox_message_webhook_id_id ON inbox_message (webhook_id, id);

CREATE TABLE negotiation (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, status VARCHAR(10) NOT NULL,
  engagement_type VARCHAR(14) NOT NULL, contact_name TEXT NOT NULL, contact_email TEXT NOT NULL,
  supplier JSONB NOT NULL, company_id VARCHAR(36), scope_id VARCHAR(36), scopes_tried JSONB NOT NULL,
  participants JSONB NOT NULL, metadata JSONB, strategy JSONB, levers JSONB NOT NULL, unavailable TEXT,
  coverage TEXT, next_offer TEXT, currency VARCHAR(3), agreement_id VARCHAR(36), act_by DATE,
  agreement JSONB, end_user JSONB, owners JSONB, sample BOOLEAN DEFAULT FALSE NOT NULL,
  created_at INSTANT NOT NULL, updated_at INSTANT NOT NULL,
  CONSTRAINT pk_negotiation PRIMARY KEY (id),
  CONSTRAINT fk_negotiation_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_negotiation_scope_id FOREIGN KEY (scope_id) REFERENCES scope (id)
);
CREATE INDEX ix_negotiation_agreement_id ON negotiation (agreement_id);
CREATE INDEX ix_negotiation_organisation_id_created_at_id ON negotiation (organisation_id, created_at, id);
CREATE INDEX ix_negotiation_scope_id ON negotiation (scope_id);

CREATE TABLE sample_story (
  organisation_id VARCHAR(36) NOT NULL, status VARCHAR(8) NOT NULL, api_key_id VARCHAR(36),
  started_at INSTANT, resumed_at INSTANT,
  CONSTRAINT pk_sample_story PRIMARY KEY (organisation_id),
  CONSTRAINT fk_sample_story_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_sample_story_api_key_id FOREIGN KEY (api_key_id) REFERENCES api_key (id)
);

CREATE TABLE scenario (
  id VARCHAR(36) NOT NULL, requirement_id VARCHAR(36) NOT NULL, content JSON NOT NULL, basis JSON,
  created_at INSTANT NOT NULL,
  CONSTRAINT pk_scenario PRIMARY KEY (id),
  CONSTRAINT fk_scenario_requirement_id FOREIGN KEY (requirement_id) REFERENCES requirement (id)
);
CREATE INDEX ix_scenario_requirement_id_id ON scenario (requirement_id, id);

CREATE TABLE scope_document (
  scope_id VARCHAR(36) NOT NULL, file_id VARCHAR(36), url TEXT, purchase_type VARCHAR(12),
  status VARCHAR(10) NOT NULL, filename TEXT NOT NULL, mime_type TEXT NOT NULL,
  document_type VARCHAR(10) NOT NULL, error TEXT, reading JSONB, quote_key TEXT,
  quote_position INTEGER DEFAULT 1 NOT NULL, updated_at INSTANT NOT NULL,
  CONSTRAINT pk_scope_document PRIMARY KEY (scope_id),
  CONSTRAINT fk_scope_document_scope_id FOREIGN KEY (scope_id) REFERENCES scope (id),
  CONSTRAINT fk_scope_document_file_id FOREIGN KEY (file_id) REFERENCES file (id)
);
CREATE INDEX ix_scope_document_file_id ON scope_document (file_id);
CREATE INDEX ix_scope_document_quote_key ON scope_document (quote_key);
CREATE INDEX ix_scope_document_status ON scope_document (status);

CREATE TABLE second_opinion (
  scope_id VARCHAR(36) NOT NULL, status VARCHAR(9) NOT NULL, address TEXT NOT NULL, model TEXT NOT NULL,
  digest VARCHAR(64) NOT NULL, attempts INTEGER NOT NULL, asked_at INSTANT, asked_about JSONB NOT NULL,
  page_numbers JSONB NOT NULL, word_count INTEGER NOT NULL, named JSONB, sentences JSONB NOT NULL,
  CONSTRAINT pk_second_opinion PRIMARY KEY (scope_id),
  CONSTRAINT fk_second_opinion_scope_id FOREIGN KEY (scope_id) REFERENCES scope (id)
);

CREATE TABLE sourcing_quote (
  id VARCHAR(36) NOT NULL, requirement_id VARCHAR(36) NOT NULL, scope_id VARCHAR(36), content JSON NOT NULL,
  created_at INSTANT NOT NULL,
  CONSTRAINT pk_sourcing_quote PRIMARY KEY (id),
  CONSTRAINT fk_sourcing_quote_requirement_id FOREIGN KEY (requirement_id) REFERENCES requirement (id),
  CONSTRAINT fk_sourcing_quote_scope_id FOREIGN KEY (scope_id) REFERENCES scope (id)
);
CREATE INDEX ix_sourcing_quote_requirement_id_id ON sourcing_quote (requirement_id, id);
CREATE INDEX ix_sourcing_quote_scope_id ON sourcing_quote (scope_id);

CREATE TABLE user_session (
  id VARCHAR(36) NOT NULL, digest VARCHAR(64) NOT NULL, organisation_id VARCHAR(36) NOT NULL,
  user_id VARCHAR(36), api_key_id VARCHAR(36), provider_session VARCHAR(255), id_token BYTES,
  started_at INSTANT NOT NULL, seen_at INSTANT NOT NULL,
  CONSTRAINT pk_user_session PRIMARY KEY (id),
  CONSTRAINT uq_user_session_digest UNIQUE (digest),
  CONSTRAINT fk_user_session_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_user_session_user_id FOREIGN KEY (user_id) REFERENCES user_account (id),
  CONSTRAINT fk_user_session_api_key_id FOREIGN KEY (api_key_id) REFERENCES api_key (id)
);
CREATE INDEX ix_user_session_api_key_id ON user_session (api_key_id);
CREATE INDEX ix_user_session_started_at ON user_session (started_at);
CREATE INDEX ix_user_session_user_id ON user_session (user_id);

CREATE TABLE agreement (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, name TEXT NOT NULL, company_id VARCHAR(36),
  supplier_name TEXT, search_text TEXT NOT NULL, identity_key VARCHAR(32), term_start DATE, term_end DATE,
  renewal_type VARCHAR(10), auto_renewal_term_months INTEGER, max_renewals INTEGER, max_extent_date DATE,
  notice_value INTEGER, notice_unit VARCHAR(12), notice_to VARCHAR(8), delivery_buffer_days INTEGER,
  notice_given_on DATE, options_exercised INTEGER DEFAULT 0 NOT NULL, next_start DATE, decision VARCHAR(11),
  decided_on DATE, put_off_until DATE, status VARCHAR(16) DEFAULT 'unknown' NOT NULL,
  stage VARCHAR(14) DEFAULT 'not_started' NOT NULL, past BOOLEAN DEFAULT FALSE NOT NULL,
  order_day DATE DEFAULT '9999-12-31' NOT NULL, position_from DATE DEFAULT '9999-12-31' NOT NULL,
  position_until DATE DEFAULT '0001-01-01' NOT NULL, learned BOOLEAN DEFAULT FALSE NOT NULL,
  price_changes INTEGER DEFAULT 0 NOT NULL, currency VARCHAR(3), total_value DOUBLE, one_time_value DOUBLE,
  priced_by_part BOOLEAN DEFAULT FALSE NOT NULL, owners JSONB, cost_center TEXT, content JSONB NOT NULL, missing JSONB NOT NULL,
  evidence JSONB NOT NULL, scope_id VARCHAR(36), negotiation_id VARCHAR(36), file_id VARCHAR(36),
  previous_agreement_id VARCHAR(36), next_agreement_id VARCHAR(36), end_user JSONB,
  sample BOOLEAN DEFAULT FALSE NOT NULL, created_at INSTANT NOT NULL, updated_at INSTANT NOT NULL,
  CONSTRAINT pk_agreement PRIMARY KEY (id),
  CONSTRAINT uq_agreement_negotiation_id UNIQUE (negotiation_id),
  CONSTRAINT fk_agreement_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_agreement_scope_id FOREIGN KEY (scope_id) REFERENCES scope (id),
  CONSTRAINT fk_agreement_negotiation_id FOREIGN KEY (negotiation_id) REFERENCES negotiation (id),
  CONSTRAINT fk_agreement_file_id FOREIGN KEY (file_id) REFERENCES file (id),
  CONSTRAINT fk_agreement_previous_agreement_id FOREIGN KEY (previous_agreement_id) REFERENCES agreement (id)
);
CREATE INDEX ix_agreement_file_id ON agreement (file_id);
CREATE INDEX ix_agreement_organisation_id_id ON agreement (organisation_id, id);
CREATE INDEX ix_agreement_organisation_id_identity_key ON agreement (organisation_id, identity_key);
CREATE INDEX ix_agreement_position ON agreement (organisation_id, past, order_day, id, status, stage,
  position_from, position_until);
CREATE INDEX ix_agreement_previous_agreement_id ON agreement (previous_agreement_id);
CREATE INDEX ix_agreement_scope_id ON agreement (scope_id);

CREATE TABLE attempt (
  delivery_id VARCHAR(36) NOT NULL, number INTEGER NOT NULL, started_at INSTANT NOT NULL,
  duration_ms INTEGER NOT NULL, outcome TEXT NOT NULL, detail TEXT, request_headers JSONB NOT NULL,
  response_status INTEGER NOT NULL, response_headers JSONB, response_body TEXT,
  CONSTRAINT pk_attempt PRIMARY KEY (delivery_id, number),
  CONSTRAINT fk_attempt_delivery_id FOREIGN KEY (delivery_id) REFERENCES delivery (id)
) WITHOUT ROWID;

CREATE TABLE escalation (
  id VARCHAR(36) NOT NULL, negotiation_id VARCHAR(36) NOT NULL, reason TEXT NOT NULL,
  status VARCHAR(8) NOT NULL, offer_entry_id VARCHAR(36), title TEXT NOT NULL, description TEXT NOT NULL,
  options JSONB NOT NULL, recommended TEXT, created_at INSTANT NOT NULL, updated_at INSTANT NOT NULL,
  due_at INSTANT, resolved_at INSTANT, resolution TEXT,
  CONSTRAINT pk_escalation PRIMARY KEY (id),
  CONSTRAINT fk_escalation_negotiation_id FOREIGN KEY (negotiation_id) REFERENCES negotiation (id)
);
CREATE INDEX ix_escalation_negotiation_id_created_at_id ON escalation (negotiation_id, created_at, id);
CREATE INDEX ix_escalation_negotiation_id_status ON escalation (negotiation_id, status);
CREATE INDEX ix_escalation_offer_entry_id ON escalation (offer_entry_id);

CREATE TABLE executive_summary (
  id VARCHAR(36) NOT NULL, negotiation_id VARCHAR(36) NOT NULL, created_at INSTANT NOT NULL,
  title TEXT NOT NULL, text TEXT NOT NULL, figures JSONB NOT NULL,
  CONSTRAINT pk_executive_summary PRIMARY KEY (id),
  CONSTRAINT fk_executive_summary_negotiation_id FOREIGN KEY (negotiation_id) REFERENCES negotiation (id)
);
CREATE INDEX ix_executive_summary_negotiation_id_created_at_id ON executive_summary (negotiation_id,
  created_at, id);

CREATE TABLE imported_row (
  import_id VARCHAR(36) NOT NULL, table_name VARCHAR(20) NOT NULL, row_id TEXT NOT NULL,
  added BOOLEAN NOT NULL, changes JSONB,
  CONSTRAINT pk_imported_row PRIMARY KEY (import_id, table_name, row_id),
  CONSTRAINT fk_imported_row_import_id FOREIGN KEY (import_id) REFERENCES data_import (id)
) WITHOUT ROWID;
CREATE INDEX ix_imported_row_row_id_table_name ON imported_row (row_id, table_name);

CREATE TABLE negotiation_attachment (
  id VARCHAR(36) NOT NULL, negotiation_id VARCHAR(36) NOT NULL, file_id VARCHAR(36) NOT NULL,
  created_at INSTANT NOT NULL, at_start BOOLEAN NOT NULL, reading_status VARCHAR(10) NOT NULL,
  CONSTRAINT pk_negotiation_attachment PRIMARY KEY (id),
  CONSTRAINT uq_negotiation_attachment_negotiation_id_file_id UNIQUE (negotiation_id, file_id),
  CONSTRAINT fk_negotiation_attachment_negotiation_id FOREIGN KEY (negotiation_id) REFERENCES negotiation (id),
  CONSTRAINT fk_negotiation_attachment_file_id FOREIGN KEY (file_id) REFERENCES file (id)
);
CREATE INDEX ix_negotiation_attachment_negotiation_id ON negotiation_attachment (negotiation_id);

CREATE TABLE negotiation_entry (
  id VARCHAR(36) NOT NULL, negotiation_id VARCHAR(36) NOT NULL, kind TEXT NOT NULL,
  happened_at INSTANT NOT NULL, recorded_at INSTANT NOT NULL, source TEXT, external_id TEXT,
  content_digest VARCHAR(64), content JSONB NOT NULL, numbers JSONB, end_user JSONB,
  CONSTRAINT pk_negotiation_entry PRIMARY KEY (id),
  CONSTRAINT uq_negotiation_entry_negotiation_id_source_external_id UNIQUE (negotiation_id, source, external_id),
  CONSTRAINT fk_negotiation_entry_negotiation_id FOREIGN KEY (negotiation_id) REFERENCES negotiation (id)
);
CREATE INDEX ix_negotiation_entry_negotiation_id_happened_at_id ON negotiation_entry (negotiation_id,
  happened_at, id);

CREATE TABLE negotiation_timer (
  id VARCHAR(36) NOT NULL, negotiation_id VARCHAR(36) NOT NULL, kind TEXT NOT NULL, due_at INSTANT NOT NULL,
  content JSONB NOT NULL,
  CONSTRAINT pk_negotiation_timer PRIMARY KEY (id),
  CONSTRAINT fk_negotiation_timer_negotiation_id FOREIGN KEY (negotiation_id) REFERENCES negotiation (id)
);
CREATE INDEX ix_negotiation_timer_due_at ON negotiation_timer (due_at);
CREATE INDEX ix_negotiation_timer_negotiation_id ON negotiation_timer (negotiation_id);

CREATE TABLE product_family (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36), company_id VARCHAR(36) NOT NULL, name TEXT NOT NULL,
  sort_name ORDERED NOT NULL, sort_order INTEGER NOT NULL, last_updated_at INSTANT NOT NULL,
  wire_list TEXT NOT NULL,
  CONSTRAINT pk_product_family PRIMARY KEY (id),
  CONSTRAINT fk_product_family_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_product_family_company_id FOREIGN KEY (company_id) REFERENCES company (id)
);
CREATE INDEX ix_product_family_company_id_sort_name_id ON product_family (company_id, sort_name, id);
CREATE INDEX ix_product_family_company_id_sort_order_id ON product_family (company_id, sort_order, id);
CREATE INDEX ix_product_family_own ON product_family (organisation_id) WHERE organisation_id IS NOT NULL;
CREATE INDEX ix_product_family_sort_name ON product_family (sort_name);

CREATE TABLE remembered_alignment (
  organisation_id VARCHAR(36) NOT NULL, supplier_key VARCHAR(32) NOT NULL, wording_key VARCHAR(32) NOT NULL,
  need_key VARCHAR(32) NOT NULL, alternate BOOLEAN NOT NULL, quote_id VARCHAR(36) NOT NULL,
  decided_by TEXT NOT NULL, decided_at INSTANT NOT NULL,
  CONSTRAINT pk_remembered_alignment PRIMARY KEY (organisation_id, supplier_key, wording_key, need_key),
  CONSTRAINT fk_remembered_alignment_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_remembered_alignment_quote_id FOREIGN KEY (quote_id) REFERENCES sourcing_quote (id)
);
CREATE INDEX ix_remembered_alignment_quote_id ON remembered_alignment (quote_id);

CREATE TABLE agreement_alert (
  agreement_id VARCHAR(36) NOT NULL, name VARCHAR(60) NOT NULL, sent_at INSTANT NOT NULL,
  CONSTRAINT pk_agreement_alert PRIMARY KEY (agreement_id, name),
  CONSTRAINT fk_agreement_alert_agreement_id FOREIGN KEY (agreement_id) REFERENCES agreement (id)
);

CREATE TABLE agreement_decision (
  id VARCHAR(36) NOT NULL, agreement_id VARCHAR(36) NOT NULL, decision VARCHAR(11) NOT NULL, note TEXT,
  notice_given_on DATE, term_end DATE, decided_by TEXT, decided_at INSTANT NOT NULL,
  CONSTRAINT pk_agreement_decision PRIMARY KEY (id),
  CONSTRAINT fk_agreement_decision_agreement_id FOREIGN KEY (agreement_id) REFERENCES agreement (id)
);
CREATE INDEX ix_agreement_decision_agreement_id_decided_at_id ON agreement_decision (agreement_id, decided_at,
  id);

CREATE TABLE agreement_market (
  agreement_id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, currency VARCHAR(3),
  amount DOUBLE NOT NULL, saving DOUBLE NOT NULL, rank DOUBLE NOT NULL, content JSONB NOT NULL,
  priced_at INSTANT NOT NULL, price_changes INTEGER DEFAULT 0 NOT NULL,
  CONSTRAINT pk_agreement_market PRIMARY KEY (agreement_id),
  CONSTRAINT fk_agreement_market_agreement_id FOREIGN KEY (agreement_id) REFERENCES agreement (id) ON DELETE CASCADE
);
CREATE INDEX ix_agreement_market_organisation_id_rank_agreement_id ON agreement_market (organisation_id, rank,
  agreement_id);

CREATE TABLE product (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36), company_id VARCHAR(36) NOT NULL,
  family_id VARCHAR(36), name TEXT NOT NULL, sort_name ORDERED NOT NULL, name_key TEXT NOT NULL,
  sort_order INTEGER NOT NULL, item_id TEXT, item_key TEXT, currency VARCHAR(3), default_price DOUBLE,
  details JSON NOT NULL, dimensions JSON NOT NULL, features JSON NOT NULL, dimension_source JSON NOT NULL,
  quantity_dimension_id VARCHAR(36), purchase_count INTEGER DEFAULT 0 NOT NULL,
  estimate_available BOOLEAN DEFAULT FALSE NOT NULL, stale BOOLEAN DEFAULT FALSE NOT NULL,
  last_updated_at INSTANT NOT NULL, wire_read TEXT NOT NULL, wire_list TEXT NOT NULL,
  CONSTRAINT pk_product PRIMARY KEY (id),
  CONSTRAINT fk_product_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_product_company_id FOREIGN KEY (company_id) REFERENCES company (id),
  CONSTRAINT fk_product_family_id FOREIGN KEY (family_id) REFERENCES product_family (id)
);
CREATE INDEX ix_product_company_id_id ON product (company_id, id);
CREATE INDEX ix_product_company_id_sort_name_id_organisation_id ON product (company_id, sort_name, id,
  organisation_id);
CREATE INDEX ix_product_company_id_sort_order_id_organisation_id_sort_name ON product (company_id, sort_order,
  id, organisation_id, sort_name);
CREATE INDEX ix_product_family_id_id ON product (family_id, id);
CREATE INDEX ix_product_item_key ON product (item_key);
CREATE INDEX ix_product_name_key_company_id ON product (name_key, company_id);
CREATE INDEX ix_product_own ON product (organisation_id) WHERE organisation_id IS NOT NULL;
CREATE INDEX ix_product_stale ON product (id) WHERE stale IS TRUE;

CREATE TABLE same_purchase (
  agreement_id VARCHAR(36) NOT NULL, line INTEGER NOT NULL, purchase_id VARCHAR(36) NOT NULL,
  same BOOLEAN NOT NULL, decided_by TEXT, decided_at INSTANT NOT NULL,
  CONSTRAINT pk_same_purchase PRIMARY KEY (agreement_id, line, purchase_id),
  CONSTRAINT fk_same_purchase_agreement_id FOREIGN KEY (agreement_id) REFERENCES agreement (id)
);

CREATE TABLE article (
  id COUNTER NOT NULL, product_id VARCHAR(36) NOT NULL, text TEXT NOT NULL, brand TEXT, category TEXT,
  description TEXT, digest VARCHAR(32) NOT NULL, organisation_id VARCHAR(36),
  sample BOOLEAN DEFAULT FALSE NOT NULL,
  CONSTRAINT pk_article PRIMARY KEY (id),
  CONSTRAINT uq_article_product_id_digest UNIQUE (product_id, digest),
  CONSTRAINT fk_article_product_id FOREIGN KEY (product_id) REFERENCES product (id),
  CONSTRAINT fk_article_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);

CREATE TABLE quoted_price (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, scope_id VARCHAR(36) NOT NULL,
  line INTEGER NOT NULL, product_id VARCHAR(36) NOT NULL, quoted_on DATE NOT NULL,
  currency VARCHAR(3) NOT NULL, quantity DOUBLE NOT NULL, term_months INTEGER, amount DOUBLE NOT NULL,
  pricing_dimensions JSONB NOT NULL,
  CONSTRAINT pk_quoted_price PRIMARY KEY (id),
  CONSTRAINT uq_quoted_price_scope_id_line UNIQUE (scope_id, line),
  CONSTRAINT fk_quoted_price_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_quoted_price_scope_id FOREIGN KEY (scope_id) REFERENCES scope (id),
  CONSTRAINT fk_quoted_price_product_id FOREIGN KEY (product_id) REFERENCES product (id)
);
CREATE INDEX ix_quoted_price_organisation_id_product_id_quoted_on ON quoted_price (organisation_id,
  product_id, quoted_on);

CREATE TABLE list_price (
  id VARCHAR(36) NOT NULL, organisation_id VARCHAR(36) NOT NULL, scope_id VARCHAR(36) NOT NULL,
  line INTEGER NOT NULL, product_id VARCHAR(36) NOT NULL, listed_on DATE NOT NULL,
  currency VARCHAR(3) NOT NULL, unit TEXT, unit_price DOUBLE NOT NULL, price_period VARCHAR(9) NOT NULL,
  from_quantity DOUBLE, to_quantity DOUBLE, attributes JSONB NOT NULL,
  CONSTRAINT pk_list_price PRIMARY KEY (id),
  CONSTRAINT uq_list_price_scope_id_line UNIQUE (scope_id, line),
  CONSTRAINT fk_list_price_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_list_price_product_id FOREIGN KEY (product_id) REFERENCES product (id),
  CONSTRAINT fk_list_price_scope_id FOREIGN KEY (scope_id) REFERENCES scope (id)
);
CREATE INDEX ix_list_price_organisation_id_product_id_listed_on ON list_price (organisation_id, product_id,
  listed_on);

CREATE TABLE purchase (
  id VARCHAR(36) NOT NULL, row_key VARCHAR(32) NOT NULL, organisation_id VARCHAR(36),
  company_id VARCHAR(36) NOT NULL, product_id VARCHAR(36) NOT NULL, family_id VARCHAR(36),
  article_id INTEGER NOT NULL, purchase_date DATE NOT NULL, currency VARCHAR(3) NOT NULL,
  quantity DOUBLE NOT NULL, unit TEXT, unit_price DOUBLE NOT NULL, price_period VARCHAR(5) NOT NULL,
  term_months INTEGER, purchase_type VARCHAR(12), list_price DOUBLE, order_id TEXT, buyer TEXT,
  attributes JSONB NOT NULL, packed BYTES,
  CONSTRAINT pk_purchase PRIMARY KEY (id),
  CONSTRAINT uq_purchase_row_key UNIQUE (row_key),
  CONSTRAINT fk_purchase_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_purchase_company_id FOREIGN KEY (company_id) REFERENCES company (id),
  CONSTRAINT fk_purchase_article_id FOREIGN KEY (article_id) REFERENCES article (id)
);
CREATE INDEX ix_purchase_article_id_purchase_date_organisation_id ON purchase (article_id, purchase_date,
  organisation_id);
CREATE INDEX ix_purchase_company_id_purchase_date_organisation_id ON purchase (company_id, purchase_date,
  organisation_id);
CREATE INDEX ix_purchase_own ON purchase (organisation_id, company_id, purchase_date) WHERE organisation_id IS
  NOT NULL;
CREATE INDEX ix_purchase_purchase_date_organisation_id ON purchase (purchase_date, organisation_id);

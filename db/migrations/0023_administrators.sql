CREATE TABLE `administrators` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`role` text NOT NULL,
	`sees_contacts` integer DEFAULT false NOT NULL,
	`password_hash` text,
	`is_from_settings` integer DEFAULT false NOT NULL,
	`invitation_hash` text,
	`invitation_ends_at` integer,
	`created_at` integer NOT NULL,
	`seen_at` integer,
	`removed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `administrators_email_unique` ON `administrators` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `administrators_invitation_hash_unique` ON `administrators` (`invitation_hash`);--> statement-breakpoint
CREATE TABLE `challenges` (
	`browser_hash` text PRIMARY KEY NOT NULL,
	`challenge` text NOT NULL,
	`ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`administrator_id` integer NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE TABLE `setup_codes` (
	`id` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "one_code" CHECK("setup_codes"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE `sessions` ADD `administrator_id` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `browser` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `proven_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `administrator_id` integer;--> statement-breakpoint
INSERT INTO `administrators` (`id`, `name`, `role`, `password_hash`, `created_at`) SELECT 1, 'Administrator', 'owner', `hash`, CAST(unixepoch('subsec') * 1000 AS integer) FROM `passwords`;--> statement-breakpoint
DELETE FROM `sessions` WHERE NOT EXISTS (SELECT 1 FROM `passwords`);
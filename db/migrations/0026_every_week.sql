CREATE TABLE `mail_queue` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`rsvp_id` integer,
	`standing_id` integer,
	`prayer_id` integer,
	`administrator_id` integer,
	`address` text,
	`language` text,
	`created_at` text NOT NULL,
	`due_at` text NOT NULL,
	`ends_at` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`sending_at` text,
	`sent_at` text,
	`failed_at` text,
	`failure` text,
	FOREIGN KEY (`rsvp_id`) REFERENCES `rsvps`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`standing_id`) REFERENCES `standing_rsvps`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_queue_key_unique` ON `mail_queue` (`key`);--> statement-breakpoint
CREATE INDEX `mail_queue_due` ON `mail_queue` (`due_at`) WHERE sent_at IS NULL AND failed_at IS NULL;--> statement-breakpoint
CREATE INDEX `mail_queue_rsvp` ON `mail_queue` (`rsvp_id`) WHERE rsvp_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `mail_state` (
	`id` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`lease_holder` text,
	`lease_ends_at` text,
	`restored_at` text,
	CONSTRAINT "one_state" CHECK("mail_state"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `mail_stops` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `prayers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`rsvp_id` integer NOT NULL,
	`text` text NOT NULL,
	`audience` text NOT NULL,
	`created_at` text NOT NULL,
	`prayed_at` text,
	`to_visit` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`rsvp_id`) REFERENCES `rsvps`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `prayers_rsvp_id_unique` ON `prayers` (`rsvp_id`);--> statement-breakpoint
CREATE TABLE `private_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`rsvp_id` integer,
	`standing_id` integer,
	`created_at` text NOT NULL,
	FOREIGN KEY (`rsvp_id`) REFERENCES `rsvps`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`standing_id`) REFERENCES `standing_rsvps`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `private_links_rsvp` ON `private_links` (`rsvp_id`) WHERE rsvp_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `private_links_standing` ON `private_links` (`standing_id`) WHERE standing_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `standing_rsvps` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`phone` text,
	`family_members` text NOT NULL,
	`volunteer_roles` text NOT NULL,
	`remind` integer NOT NULL,
	`suspicion` text,
	`language` text,
	`since` text NOT NULL,
	`written_until` text NOT NULL,
	`created_at` text NOT NULL,
	`seen_at` text NOT NULL,
	`asked_at` text,
	`ended_at` text,
	`feed_revision` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `administrators` ADD `prayers` text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE `administrators` ADD `mail` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `event_translations` ADD `parking` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `event_translations` ADD `children` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `parking` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `children` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `rsvps` ADD `standing_id` integer;--> statement-breakpoint
ALTER TABLE `rsvps` ADD `first_visit` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `rsvps` ADD `remind` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `rsvps` ADD `language` text;--> statement-breakpoint
CREATE INDEX `rsvps_standing` ON `rsvps` (`standing_id`,`service_date`) WHERE standing_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `settings` ADD `prayers` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `settings` ADD `prayer_days` integer DEFAULT 30;
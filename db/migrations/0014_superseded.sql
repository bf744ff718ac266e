ALTER TABLE `rsvps` ADD `superseded` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `rsvps_superseded` ON `rsvps` (`service_date`) WHERE superseded;
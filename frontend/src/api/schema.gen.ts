// Made by `npm run generate` from openapi.json. Do not edit.

export interface paths {
    "/admin/announcements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rows
         * @description List all announcements, newest first, including planned and past ones.
         */
        get: operations["list_admin_announcements"];
        put?: never;
        /**
         * Make
         * @description Make an announcement, or plan maintenance: from now on, sessions that would run into it are refused.
         */
        post: operations["create_admin_announcement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/announcements/{announcement_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change
         * @description Change an announcement that has not ended. Fields left out get their defaults.
         */
        put: operations["set_admin_announcement"];
        post?: never;
        /**
         * End
         * @description End an announcement now; it stays in the list as past.
         */
        delete: operations["delete_admin_announcement"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/announcements/affected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Affected
         * @description List the sessions and batch jobs that this maintenance would cut short. Nothing is written.
         */
        post: operations["affected_admin_announcements"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Groups
         * @description List the directory's groups, with what their members hold and may use.
         */
        get: operations["list_admin_groups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health
         * @description Return the last known state of each part that the portal depends on, and the recent calls of Slurm.
         *
         *     The stream `/events?also=health` sends the same as `health`, every 15 seconds.
         */
        get: operations["get_admin_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/idle/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report
         * @description Report what the idle policy would have done in the last days: with the site's rule, or changes to it.
         *
         *     No session is ended and nobody is notified. The report assumes that nobody snoozes.
         */
        get: operations["get_admin_idle_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Jobs
         * @description List pending and running jobs of all users.
         */
        get: operations["list_admin_jobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Act On Jobs
         * @description Hold, release, requeue or cancel any user's jobs, or set their time limit or priority.
         */
        post: operations["create_admin_job_action"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Limits
         * @description List the limits set here, followed by those of portal.toml.
         */
        get: operations["list_admin_limits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/limits/{kind}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set Limit
         * @description Set the limits of a user or group. They apply from the next start, however it is made.
         *
         *     A user or group that the directory does not have is refused.
         */
        put: operations["set_admin_limit"];
        post?: never;
        /**
         * Remove Limit
         * @description Remove the limits of a user or group; the next layer applies again.
         */
        delete: operations["delete_admin_limit"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/limits/slurm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Slurm Limits
         * @description List the limits that Slurm itself sets by association and QOS, beside those of the portal.
         */
        get: operations["get_admin_limit_slurm"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Nodes
         * @description List the nodes, with Slurm's report and the jobs on each.
         */
        get: operations["list_admin_nodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/nodes/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Node Health
         * @description Return the health of a node: its problems, its resources, and its history.
         */
        get: operations["get_admin_node"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/nodes/drain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Drain
         * @description Drain nodes and notify the owners of their jobs; running jobs continue.
         */
        post: operations["drain_admin_nodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/nodes/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume
         * @description Put nodes back into service.
         */
        post: operations["resume_admin_nodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * People
         * @description List the directory's users, those who use most first; `query` matches part of a name or an address.
         */
        get: operations["list_admin_people"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/people/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Person
         * @description Look up one user in the directory, with the limits that apply to them.
         */
        get: operations["get_admin_person"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/reservations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reservations
         * @description List Slurm's reservations.
         */
        get: operations["list_admin_reservations"];
        put?: never;
        /**
         * Reserve
         * @description Reserve nodes, by name or by number of GPUs, for users or accounts; no other jobs are placed there meanwhile.
         */
        post: operations["create_admin_reservation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/reservations/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unreserve
         * @description Delete a reservation. Slurm refuses while jobs run in it.
         */
        delete: operations["delete_admin_reservation"];
        options?: never;
        head?: never;
        /**
         * Change Reservation
         * @description Change a reservation's times, nodes, users or accounts. Running jobs continue.
         */
        patch: operations["change_admin_reservation"];
        trace?: never;
    };
    "/admin/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sessions
         * @description List sessions of all users, newest first.
         */
        get: operations["list_admin_sessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/sessions/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend
         * @description Extend sessions. Each result names any limits or maintenance in the way, unless overridden.
         */
        post: operations["extend_admin_sessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/sessions/message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Message
         * @description Send the owners a message about their sessions. It appears on all of their pages and on the session's page.
         */
        post: operations["message_admin_sessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/sessions/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop
         * @description Stop sessions of any user; each owner is told that an administrator did it.
         */
        post: operations["stop_admin_sessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everybodys
         * @description Return all users' usage: GPU-hours, waiting times, and what was unused.
         */
        get: operations["get_admin_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/usage/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everybodys Csv
         * @description Return everybody's usage as CSV, with every row.
         */
        get: operations["get_admin_usage_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/announcements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shown
         * @description Return the current announcements, maintenance first.
         */
        get: operations["list_announcements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description List this site's apps, the environments that each runs in, and the reason if an app cannot start.
         */
        get: operations["list_apps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description List the entries of the audit log, newest first. `action` matches a prefix, `target` any part.
         */
        get: operations["get_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Csv
         * @description Return the audit log as CSV: at most the newest 50,000 entries.
         */
        get: operations["get_audit_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cluster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Snapshot
         * @description Return every node as it is now, the same for all users. If unchanged (`If-None-Match`), the answer is 304.
         */
        get: operations["get_cluster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cluster/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Changes
         * @description Follow the nodes (server-sent events) from the version `after` on.
         *
         *     `picture` is the whole state, `change` the difference from the version `since`, `mine` the caller's own GPUs by
         *     node, `seen` when Slurm was last read although nothing has changed.
         */
        get: operations["list_cluster_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cluster/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * History
         * @description Return the cluster's totals over the last hour, day, week or month.
         */
        get: operations["get_cluster_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cluster/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Jobs
         * @description Return a page of the queue: the caller's own jobs first, then running ones, then pending ones in queue order.
         */
        get: operations["list_cluster_jobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cluster/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Job
         * @description Return one job of the queue, with the GPUs it holds.
         */
        get: operations["get_cluster_job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cluster/nodes/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Node
         * @description Return one node, with the jobs on it and the GPUs that each holds.
         */
        get: operations["get_cluster_node"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description List the site's environments with the state of their last installation, and your images.
         */
        get: operations["list_environments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/environments/{name}/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Install
         * @description Install or update an environment in the background; `GET /events` reports its progress.
         */
        post: operations["install_environments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/environments/{name}/lab-files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lab Files
         * @description List what JupyterLab's page loads first in sessions of this environment, for browsers to fetch early.
         */
        get: operations["list_environment_lab_files"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events
         * @description Follow everything that this user's pages show (server-sent events): sessions, availability, Slurm's state.
         *
         *     It begins with what has changed within the last minute, each thing as it is now; with `Last-Event-ID` it continues
         *     after that event, or sends `reset` if the events since then are no longer known: read everything again then.
         */
        get: operations["list_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Files
         * @description List a page of one of your folders, or describe a path, with your own permissions on the cluster.
         */
        get: operations["list_files"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Archive
         * @description Download files and folders as one archive, packed while it is sent.
         *
         *     What could not be packed is listed in its last member, `LEFT-OUT.txt`.
         */
        get: operations["get_file_archive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/bin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Bin
         * @description List what is in your bins, newest first.
         */
        get: operations["get_file_bin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/bin/empty": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Empty
         * @description Delete what is in your bins for good: some of it, or everything.
         */
        post: operations["empty_files_bin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Content
         * @description Download one of your files, or a range of it.
         */
        get: operations["get_file_content"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/copies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy
         * @description Copy files and folders into a folder: contents, permissions and times, links as links.
         */
        post: operations["create_file_copie"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete
         * @description Delete files and folders for good.
         */
        post: operations["delete_files"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make
         * @description Make a folder.
         */
        post: operations["create_file_folder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/mode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mode
         * @description Change the permissions of a file or folder of your own.
         */
        post: operations["mode_files"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move
         * @description Move files and folders into a folder; what lies on another file system is moved by an operation.
         */
        post: operations["move_files"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List
         * @description List your operations, newest first: those that have not ended, and those of the last hour.
         */
        get: operations["list_file_operations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/operations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get
         * @description Say how far an operation is.
         */
        get: operations["get_file_operation"];
        put?: never;
        post?: never;
        /**
         * End
         * @description Cancel an operation; take one that has ended off the list.
         */
        delete: operations["delete_file_operation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/places": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Places
         * @description List where your files are: your home and the site's shared storage, with the space that is left.
         */
        get: operations["list_file_places"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove
         * @description Move files and folders to the bin.
         */
        post: operations["remove_files"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rename
         * @description Give a file or folder another name.
         */
        post: operations["rename_files"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore
         * @description Move things from the bin back to where they were; under another name if that is taken.
         */
        post: operations["restore_files"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Text
         * @description Return the text of one of your small files, with your own permissions on the cluster.
         */
        get: operations["get_file_text"];
        /**
         * Save
         * @description Save a text: a new file, or the version that you have read; never over a newer one.
         */
        put: operations["set_file_text"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create
         * @description Begin an upload of `Upload-Length` bytes.
         *
         *     `Upload-Metadata` names the `path`, and may name `conflict`, `mtime` and `sha256`.
         */
        post: operations["create_file_upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/uploads/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Drop
         * @description Give an upload up, and delete what has arrived.
         */
        delete: operations["delete_file_upload"];
        options?: never;
        head?: never;
        /**
         * Append
         * @description Send a piece from `Upload-Offset` on, as `application/offset+octet-stream`.
         *
         *     What arrives before the connection is cut is kept.
         */
        patch: operations["change_file_upload"];
        trace?: never;
    };
    "/image-catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Catalogue
         * @description List the framework images that the site suggests, with their tags.
         */
        get: operations["get_image_catalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description List your images and the site's, and the free space for more.
         */
        get: operations["list_images"];
        put?: never;
        /**
         * Add
         * @description Register an image by its path, or pull one by its reference; `GET /events` reports the pull's progress.
         *
         *     A second request with the same `Idempotency-Key` returns the same image.
         */
        post: operations["create_image"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/images/{image_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove
         * @description Remove an image from the list, ending its pull. The file of a ready image stays.
         */
        delete: operations["delete_image"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description List your batch jobs, newest first, an array as one row, including jobs that Slurm has forgotten.
         */
        get: operations["list_jobs"];
        put?: never;
        /**
         * Submit
         * @description Submit a job. If policy or Slurm refuses it, nothing is submitted.
         *
         *     A second request with the same `Idempotency-Key` returns the same job. `outcome_unknown` names the submission to
         *     look up.
         */
        post: operations["create_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show
         * @description Return one of your jobs, as it is now.
         */
        get: operations["get_job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{job_id}/again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Again
         * @description Return the job to submit again, with its corrections applied.
         */
        get: operations["get_job_again"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{job_id}/gpus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Of Job
         * @description Return what a batch job has done with each of its GPUs, as far as it was metered.
         */
        get: operations["list_job_gpus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{job_id}/output": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read
         * @description Read a piece of a job's output.
         */
        get: operations["get_job_output"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{job_id}/output/follow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow
         * @description Follow a job's output (server-sent events): `piece` as it grows, `end` once the job has ended and all is read.
         *
         *     If the reader is too slow, or the output grows faster than 4 MiB a second, the stream skips ahead; `skipped` in a
         *     piece is the number of bytes left out before it.
         */
        get: operations["get_job_output_follow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{job_id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tasks
         * @description List the tasks of an array by number.
         */
        get: operations["list_job_tasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{job_id}/tasks/{task}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Task
         * @description Return one task of an array: its state, how it ended, where it writes.
         */
        get: operations["get_job_task"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{job_id}/use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Use
         * @description Return what a running job uses now, node by node. Poll every five seconds: requests keep the measurement
         *     running.
         */
        get: operations["get_job_use"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Actions
         * @description Cancel, hold, release or requeue your jobs, or shorten their time limits. Each job has its own result.
         */
        post: operations["create_job_action"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check
         * @description Check whether Slurm would take the job, when and where it would start, and what is wrong. Submits nothing.
         */
        post: operations["check_jobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/compose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compose
         * @description Build the job script from a form.
         */
        post: operations["compose_jobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/last-use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Last Use
         * @description Return how much memory and time your last jobs of this name needed.
         */
        get: operations["get_job_last_use"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/parse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Parse
         * @description Parse a script into the form, and report what the form cannot show.
         */
        post: operations["parse_jobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Presets
         * @description List the presets, each with the environment that has what it needs.
         */
        get: operations["list_job_presets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Submissions
         * @description List your submissions without a known job: the portal is looking for it, or it was not submitted.
         */
        get: operations["list_job_submissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/submissions/{submission_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Submission
         * @description Return the state of one submission.
         */
        get: operations["get_job_submission"];
        put?: never;
        post?: never;
        /**
         * Forget Submission
         * @description Forget a submission that the portal no longer looks for.
         */
        delete: operations["delete_job_submission"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/submissions/{submission_id}/again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Submission Again
         * @description Return what a submission requested, to submit it again.
         */
        get: operations["get_job_submission_again"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Logout
         * @description Log this browser out of the portal, and return the Hub's logout URL to open next.
         *
         *     With the ticket in the URL, valid for a minute, the Hub does not ask for confirmation. A program with a token
         *     gets none: a token may not end its owner's logins.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Me
         * @description Return the caller; the CSRF token goes into `X-CSRF-Token` of writes made with the cookie.
         */
        get: operations["get_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Unread
         * @description Return the administrators' messages that you have not read yet.
         */
        get: operations["list_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{message_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Read
         * @description Mark one of your messages as read.
         */
        delete: operations["delete_message"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/modules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description List the modules that a session can load on top of its environment.
         */
        get: operations["list_modules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ngc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Key
         * @description Return whether you have stored a key for the registry. The key itself is never shown.
         */
        get: operations["get_ngc"];
        /**
         * Store Key
         * @description Store your key, encrypted. The registry checks it first; a key that the registry refuses is not stored.
         */
        put: operations["set_ngc"];
        post?: never;
        /**
         * Forget Key
         * @description Forget your key.
         */
        delete: operations["delete_ngc"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Mine
         * @description Return your channels and the events that each notifies you about. A webhook's URL is never shown.
         */
        get: operations["list_notifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/{channel}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test
         * @description Send yourself a test message; the log says how it went.
         */
        post: operations["test_notifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Log
         * @description Return your latest messages on all channels and how each went, newest first.
         */
        get: operations["get_notification_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set Mail
         * @description Choose which events you get mail about, at your address in the directory.
         */
        put: operations["set_notification_mail"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set Webhook
         * @description Store your webhook, encrypted, and choose its events. Without `url`, the stored webhook stays.
         */
        put: operations["set_notification_webhook"];
        post?: never;
        /**
         * Forget Webhook
         * @description Remove your webhook.
         */
        delete: operations["delete_notification_webhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Options
         * @description Return what a new session may request, what is free now, and the defaults.
         */
        get: operations["list_options"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Listing
         * @description List your presets for new sessions, and those that the site shares with you.
         */
        get: operations["list_presets"];
        put?: never;
        /**
         * Save
         * @description Save a preset. One of yours with the same name is replaced.
         */
        post: operations["create_preset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/presets/{preset_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Rename
         * @description Rename one of your presets.
         */
        put: operations["set_preset"];
        post?: never;
        /**
         * Delete
         * @description Delete one of your presets. Repeating it is safe.
         */
        delete: operations["delete_preset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description List your sessions, newest first. `unseen`: those that ended badly, until you have seen how.
         */
        get: operations["list_sessions"];
        put?: never;
        /**
         * Start
         * @description Start a session. Policy fills in what is left out. If policy refuses, nothing is submitted.
         *
         *     A second request with the same `Idempotency-Key` returns the same session.
         */
        post: operations["create_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show
         * @description Return one of your sessions, as it is now.
         */
        get: operations["get_session"];
        put?: never;
        post?: never;
        /**
         * Stop
         * @description Stop a session, or cancel it if it has not started. Its job has ended once its state is `ended`.
         */
        delete: operations["delete_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/end-seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * End Seen
         * @description Say whether you have seen how your session ended. Repeating it is safe.
         */
        put: operations["set_session_end_seen"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events
         * @description Follow one session (server-sent events): its past events, then new ones, until it has ended.
         */
        get: operations["list_session_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Log
         * @description Read a piece of the session's log. A negative offset counts from the end.
         */
        get: operations["get_session_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change
         * @description Change what your waiting session asks for. Repeating it is safe.
         */
        put: operations["set_session_resource"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/resources/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check Change
         * @description Check what a change of your waiting session would give, and what it does to its position in the queue.
         */
        post: operations["check_sessions_resources"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Listing
         * @description List with whom your session is shared, and what of it may be shared.
         */
        get: operations["list_session_shares"];
        put?: never;
        /**
         * Share
         * @description Share the app of your session, or one port of it. People you already share it with get the new time.
         *
         *     With `key` it opens to programs that send the key which this answer holds, and no later one.
         *
         *     Whoever may `use` it does so as you: they may read and change what the app may. Whoever may `look` sees what you do.
         *     Ports are always shared to use.
         */
        post: operations["create_session_share"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/shares/{share_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unshare
         * @description End a share. What its guests have open closes within seconds. Repeating it is safe.
         */
        delete: operations["delete_session_share"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/snooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Snooze
         * @description Put off the warning that your session is idle. How often is limited.
         */
        post: operations["snooze_sessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/time-limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * More Time
         * @description List how much time you could add to your running session now; each says why if you cannot.
         */
        get: operations["get_session_time_limit"];
        /**
         * Set Time
         * @description Set the time limit of your running session: more, if policy allows it, or less. Repeating it is safe.
         */
        put: operations["set_session_time_limit"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Of Session
         * @description Return what one of your sessions, running or ended, used over its life.
         */
        get: operations["get_session_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check
         * @description Check what a session would get, and whether anything prevents it, without starting it.
         */
        post: operations["check_sessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * With Me
         * @description List what other users share with you now.
         */
        get: operations["list_shares"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shares/{share_id}/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open
         * @description Return where to open what is shared with you. The session's host first sends the browser back with a `state`.
         */
        post: operations["open_shares"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Site
         * @description Return the site's name and version, and whether Slurm answers.
         */
        get: operations["get_site"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description List the notebook templates of this site.
         */
        get: operations["list_templates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{template_id}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle
         * @description Keep your changed copy of a template, or replace it with the site's version and put yours aside.
         */
        post: operations["copy_templates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{template_id}/difference": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Difference
         * @description Return the differences between your copy of a template and the site's version, by cell.
         */
        get: operations["get_template_difference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{template_id}/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open In Session
         * @description Copy the template to your home if it is missing, and return where it opens in one of your ready sessions.
         */
        post: operations["open_templates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{template_id}/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Picture
         * @description Return the picture of a template with outputs: one of its plots (PNG).
         */
        get: operations["get_template_picture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{template_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview
         * @description Return a template's cells, with their stored outputs if it has any.
         */
        get: operations["get_template_preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/copies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Copies
         * @description Return how your copy of each template compares to the site's version.
         */
        get: operations["list_template_copies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Mine
         * @description Return what you used, how much of it was unused, and what to do about it.
         */
        get: operations["get_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * My Csv
         * @description Return your own usage as CSV.
         */
        get: operations["get_usage_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage/last": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Last
         * @description Return how much memory your last sessions of this app used: of the same template, preset or environment.
         */
        get: operations["get_usage_last"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * AccountOut
         * @description One of your accounts, and the QOS that a job charged to it may have.
         */
        AccountOut: {
            /** Default */
            default: boolean;
            /**
             * Default Qos
             * @description QOS of a job that names none, if accounting sets one.
             */
            default_qos: string | null;
            /** Name */
            name: string;
            /** Qos */
            qos: string[];
        };
        /**
         * Action
         * @enum {string}
         */
        Action: "cancel" | "hold" | "release" | "requeue" | "time_limit";
        /** ActionIn */
        ActionIn: {
            action: components["schemas"]["Action"];
            /** Ids */
            ids: string[];
            /**
             * Walltime S
             * @description For `time_limit`: the new time limit, at most the current one.
             */
            walltime_s?: number | null;
        };
        /** ActionResult */
        ActionResult: {
            /**
             * Changed
             * @description False if the action failed, or the job had already ended.
             */
            changed: boolean;
            /** Id */
            id: string;
            /** Message */
            message: string;
            /** Ok */
            ok: boolean;
        };
        /** ActionsOut */
        ActionsOut: {
            /** Results */
            results: components["schemas"]["ActionResult"][];
        };
        /**
         * Activity
         * @description Signs of work since the last report; null: not known.
         */
        Activity: {
            /**
             * Disk Kib S
             * @description Read and written by its processes.
             */
            disk_kib_s?: number | null;
            /**
             * Kernel Busy Percent
             * @description How much of the time any kernel was busy.
             */
            kernel_busy_percent?: number | null;
            /**
             * Kernels
             * @description Jupyter's running kernels.
             */
            kernels?: number | null;
            /** Kernels Busy */
            kernels_busy?: number | null;
            /**
             * Network Kib S
             * @description Carried by its user's connections on the node.
             */
            network_kib_s?: number | null;
            /**
             * Programs
             * @description Programs that run in terminals.
             */
            programs?: number | null;
            /**
             * Quiet S
             * @description Seconds since somebody ran a cell, typed in a terminal or used the app.
             */
            quiet_s?: number | null;
        };
        /**
         * Advice
         * @description What the user's figures mean, and what to do.
         */
        Advice: {
            /** Hint */
            hint: string;
            /** Text */
            text: string;
        };
        /**
         * AffectedJob
         * @description A job on a node: its owner, and until when it may run.
         */
        AffectedJob: {
            /** Ends At */
            ends_at: string | null;
            /** Gpus */
            gpus: number;
            /** Id */
            id: number;
            /**
             * Name
             * @description The session's name, or else the job's.
             */
            name: string;
            /** Session Id */
            session_id: string | null;
            /** User */
            user: string;
        };
        /**
         * AffectedJobOut
         * @description A running batch job that a maintenance would cut short, or a waiting one that it might.
         */
        AffectedJobOut: {
            /** Ends At */
            ends_at: string | null;
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Owner */
            owner: string;
            /** Partition */
            partition: string;
            /** Running */
            running: boolean;
        };
        /**
         * AffectedList
         * @description What planned maintenance would cut short: all sessions, and the first few batch jobs.
         */
        AffectedList: {
            /** Items */
            items: components["schemas"]["AffectedOut"][];
            /** Jobs */
            jobs: components["schemas"]["AffectedJobOut"][];
            /** Jobs Total */
            jobs_total: number;
        };
        /**
         * AffectedOut
         * @description A session that a maintenance would cut short.
         */
        AffectedOut: {
            /** Ends At */
            ends_at: string | null;
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Owner */
            owner: string;
            /** Partition */
            partition: string;
        };
        /**
         * AgainOut
         * @description The job as a form and a script to submit again, with corrections applied.
         */
        AgainOut: {
            /** Corrections */
            corrections: components["schemas"]["Correction"][];
            form: components["schemas"]["JobForm"];
            /**
             * Kept
             * @description Lines of the script that the form has no field for, as returned by `parse`.
             */
            kept: string[];
            /** Script */
            script: string;
            /** Workdir */
            workdir: string | null;
        };
        /**
         * Allowance
         * @description This month's limit (UTC), and what counts towards it.
         */
        Allowance: {
            /**
             * Gpu Hours Promised
             * @description What sessions and jobs that have not ended may still use.
             */
            gpu_hours_promised: number;
            /**
             * Gpu Hours Used
             * @description By sessions and batch jobs, this month (UTC).
             */
            gpu_hours_used: number;
            /** Max Gpu Hours */
            max_gpu_hours: number | null;
        };
        /**
         * AlternativeOut
         * @description Another request that would start now.
         */
        AlternativeOut: {
            resources: components["schemas"]["Resources"];
            /**
             * Text
             * @description How it differs from the request.
             */
            text: string;
        };
        /**
         * AnnouncementIn
         * @description A new or changed announcement; shown at once without `shown_from`, until ended by hand without `ends_at`.
         */
        AnnouncementIn: {
            /** Ends At */
            ends_at?: string | null;
            /** @default notice */
            kind: components["schemas"]["AnnouncementKind"];
            /**
             * On Login
             * @description Also shown on the login page, to anyone who opens it.
             * @default true
             */
            on_login: boolean;
            /**
             * Partitions
             * @description The affected partitions; empty: all.
             */
            partitions?: string[];
            /** Shown From */
            shown_from?: string | null;
            /**
             * Starts At
             * @description For maintenance: when sessions must have ended.
             */
            starts_at?: string | null;
            /** Text */
            text: string;
        };
        /**
         * AnnouncementKind
         * @enum {string}
         */
        AnnouncementKind: "notice" | "maintenance";
        /** AnnouncementList */
        AnnouncementList: {
            /** Items */
            items: components["schemas"]["AnnouncementOut"][];
        };
        /**
         * AnnouncementOut
         * @description An announcement as everybody sees it.
         */
        AnnouncementOut: {
            /** Ends At */
            ends_at: string | null;
            /** Id */
            id: number;
            kind: components["schemas"]["AnnouncementKind"];
            /** Partitions */
            partitions: string[];
            /** Starts At */
            starts_at: string | null;
            /** Text */
            text: string;
        };
        /**
         * AnnouncementRow
         * @description An announcement with the fields for administrators.
         */
        AnnouncementRow: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Created By */
            created_by: string;
            /** Ends At */
            ends_at: string | null;
            /** Id */
            id: number;
            kind: components["schemas"]["AnnouncementKind"];
            /** On Login */
            on_login: boolean;
            /** Partitions */
            partitions: string[];
            /**
             * Shown From
             * Format: date-time
             */
            shown_from: string;
            /** Starts At */
            starts_at: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "planned" | "shown" | "under_way" | "over";
            /** Text */
            text: string;
            /** Withdrawn At */
            withdrawn_at: string | null;
        };
        /** AnnouncementRows */
        AnnouncementRows: {
            /** Items */
            items: components["schemas"]["AnnouncementRow"][];
        };
        /**
         * AppOptionOut
         * @description A field of the app's start form; its value goes into `options` of the session.
         */
        AppOptionOut: {
            /** Choices */
            choices: string[];
            /** Default */
            default: string | boolean | null;
            /** Help */
            help: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "folder" | "file" | "text" | "number" | "choice" | "bool";
            /** Label */
            label: string;
            /** Least */
            least: number | null;
            /** Most */
            most: number | null;
            /** Name */
            name: string;
            /** Required */
            required: boolean;
            /** Whole */
            whole: boolean;
        };
        /** AppOut */
        AppOut: {
            /** Available */
            available: boolean;
            /** Description */
            description: string;
            /** Environments */
            environments: string[];
            /** Group */
            group: string;
            /** Icon */
            icon: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "jupyter" | "web";
            /** Name */
            name: string;
            /** Options */
            options: components["schemas"]["AppOptionOut"][];
            /**
             * Reason
             * @description Why it cannot be started here.
             */
            reason: string | null;
            /** @description What its session gets by default. */
            resources: components["schemas"]["Resources"] | null;
            /** Title */
            title: string;
        };
        /**
         * AppSourceOut
         * @description An environment that the app runs in.
         */
        AppSourceOut: {
            /** Environment */
            environment: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "path" | "modules" | "image";
            /**
             * Own
             * @description Whether it is one of the caller's images.
             */
            own: boolean;
            /**
             * Reason
             * @description Why the app cannot run in it now.
             */
            reason: string | null;
            /** Title */
            title: string;
            /** Version */
            version: string;
            /**
             * Where
             * @description Its folder, modules or image.
             */
            where: string;
        };
        /**
         * ArrayOut
         * @description A job array as one row.
         */
        ArrayOut: {
            /** Cancelled */
            cancelled: number;
            /** Done */
            done: number;
            /** Failed */
            failed: number;
            /** Pending */
            pending: number;
            /** Range */
            range: string;
            /** Running */
            running: number;
            /** Total */
            total: number;
        };
        /** ArraySpec */
        ArraySpec: {
            /**
             * At Once
             * @description Tasks that may run at once.
             */
            at_once?: number | null;
            /**
             * Range
             * @description As in Slurm: `0-99`, `1,3,5`, `0-90:10`.
             */
            range: string;
        };
        /** AuditOut */
        AuditOut: {
            /** Action */
            action: string;
            /** Actor */
            actor: string;
            /** Address */
            address: string;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Detail */
            detail: {
                [key: string]: unknown;
            };
            /** Id */
            id: number;
            /** Result */
            result: string;
            /** Target */
            target: string;
        };
        /** AuditPage */
        AuditPage: {
            /** Items */
            items: components["schemas"]["AuditOut"][];
            /** Next */
            next: number | null;
        };
        /** BinItem */
        BinItem: {
            /** Id */
            id: string;
            kind: components["schemas"]["FileKind"];
            /** Name */
            name: string;
            /**
             * Path
             * @description Where it was; empty: unknown.
             */
            path: string;
            /**
             * Removed
             * @description Local time of the portal's machine, as the bin records it.
             */
            removed: string | null;
            /**
             * Size
             * @description Bytes; 0 for folders.
             */
            size: number;
        };
        /** BinOut */
        BinOut: {
            /** Items */
            items: components["schemas"]["BinItem"][];
            /** Truncated */
            truncated: boolean;
        };
        /**
         * CallsOut
         * @description Calls of one Slurm program in the last five minutes.
         */
        CallsOut: {
            /** Failed */
            failed: number;
            /** Median Ms */
            median_ms: number;
            /** Per Minute */
            per_minute: number;
            /** Program */
            program: string;
            /** Slowest Ms */
            slowest_ms: number;
        };
        /** CatalogueOut */
        CatalogueOut: {
            /** Items */
            items: components["schemas"]["FrameworkOut"][];
        };
        /** Cell */
        Cell: {
            /** Id */
            id: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "markdown" | "code";
            /**
             * Outputs
             * @default []
             */
            outputs: components["schemas"]["Output"][];
            /** Source */
            source: string;
        };
        /**
         * CellChange
         * @description A cell of either version; for a changed one, `lines` holds the lines of both in one order.
         */
        CellChange: {
            change: components["schemas"]["Change"];
            /**
             * Kind
             * @description `code`, `markdown` or `raw`.
             */
            kind: string;
            /** Lines */
            lines: components["schemas"]["Line"][];
        };
        /**
         * Change
         * @enum {string}
         */
        Change: "same" | "changed" | "mine" | "new";
        /**
         * ChangeCheck
         * @description What a change would do, without making it.
         */
        ChangeCheck: {
            /**
             * How
             * @enum {string}
             */
            how: "nothing" | "in_place" | "new_job";
            /** Ok */
            ok: boolean;
            /**
             * Place
             * @description What it does to the position in the queue, in words.
             */
            place: string;
            /** Problems */
            problems: components["schemas"]["ProblemOut"][];
            resources: components["schemas"]["Resources"] | null;
            /**
             * Starts
             * @enum {string}
             */
            starts: "now" | "later" | "unknown";
            /** Starts Text */
            starts_text: string;
        };
        /**
         * ChangeRequest
         * @description What a waiting session shall ask for instead; what is left out stays as it is.
         */
        ChangeRequest: {
            /**
             * New Job
             * @description Whether a new job may take over where Slurm cannot change the one in the queue.
             * @default false
             */
            new_job: boolean;
            resources: components["schemas"]["ResourceRequest"];
        };
        /**
         * Channel
         * @enum {string}
         */
        Channel: "mail" | "webhook";
        /**
         * CheckOut
         * @description What a session would get, without starting it.
         */
        CheckOut: {
            /**
             * Alternatives
             * @description Up to three other requests that would start now.
             */
            alternatives: components["schemas"]["AlternativeOut"][];
            estimate: components["schemas"]["EstimateOut"] | null;
            /** Ok */
            ok: boolean;
            /** Problems */
            problems: components["schemas"]["ProblemOut"][];
            resources: components["schemas"]["Resources"] | null;
            /**
             * Starts
             * @enum {string}
             */
            starts: "now" | "later" | "unknown";
            /** Starts Text */
            starts_text: string;
            /** Summary */
            summary: string;
            /**
             * Warnings
             * @description Possible mistakes, worth a look.
             */
            warnings: components["schemas"]["ProblemOut"][];
        };
        /** ClusterJobDetail */
        ClusterJobDetail: {
            /** Account */
            account: string | null;
            /** Array Job Id */
            array_job_id: number | null;
            /** Array Tasks */
            array_tasks: string;
            /** Cpus */
            cpus: number;
            /** Ends At */
            ends_at: string | null;
            /** Expected Start */
            expected_start: string | null;
            /** Gpu Type */
            gpu_type: string | null;
            /** Gpus */
            gpus: number;
            /** Id */
            id: number;
            /** Line */
            line: number | null;
            /** Memory Mib */
            memory_mib: number | null;
            /** Mine */
            mine: boolean;
            /**
             * Mps Percent
             * @description Percent of a GPU, if it shares one by MPS.
             */
            mps_percent: number;
            /** Name */
            name: string | null;
            /** Node List */
            node_list: string;
            /** Nodes */
            nodes: number;
            /** Partition */
            partition: string;
            /** Places */
            places: components["schemas"]["PlaceOut"][];
            /** Position */
            position: number | null;
            /** Priority */
            priority: number;
            /** Qos */
            qos: string;
            /** Reason */
            reason: string;
            /** Reason Code */
            reason_code: string;
            /** Reservation */
            reservation: string;
            /**
             * Shards
             * @description Shards of GPUs, if it holds parts of them.
             */
            shards: number;
            /** Started At */
            started_at: string | null;
            /** State */
            state: string;
            /** Submitted At */
            submitted_at: string | null;
            /** Time Limit S */
            time_limit_s: number | null;
            /** User */
            user: string | null;
        };
        /**
         * ClusterJobOut
         * @description One job. Fields of other users' jobs that the reader may not see (`user`, `account`, `name`) are null.
         */
        ClusterJobOut: {
            /** Account */
            account: string | null;
            /** Array Job Id */
            array_job_id: number | null;
            /** Array Tasks */
            array_tasks: string;
            /** Cpus */
            cpus: number;
            /** Ends At */
            ends_at: string | null;
            /** Expected Start */
            expected_start: string | null;
            /** Gpu Type */
            gpu_type: string | null;
            /** Gpus */
            gpus: number;
            /** Id */
            id: number;
            /** Line */
            line: number | null;
            /** Memory Mib */
            memory_mib: number | null;
            /** Mine */
            mine: boolean;
            /**
             * Mps Percent
             * @description Percent of a GPU, if it shares one by MPS.
             */
            mps_percent: number;
            /** Name */
            name: string | null;
            /** Node List */
            node_list: string;
            /** Nodes */
            nodes: number;
            /** Partition */
            partition: string;
            /** Position */
            position: number | null;
            /** Priority */
            priority: number;
            /** Qos */
            qos: string;
            /** Reason */
            reason: string;
            /** Reason Code */
            reason_code: string;
            /** Reservation */
            reservation: string;
            /**
             * Shards
             * @description Shards of GPUs, if it holds parts of them.
             */
            shards: number;
            /** Started At */
            started_at: string | null;
            /** State */
            state: string;
            /** Submitted At */
            submitted_at: string | null;
            /** Time Limit S */
            time_limit_s: number | null;
            /** User */
            user: string | null;
        };
        /** ClusterJobsOut */
        ClusterJobsOut: {
            /** As Of */
            as_of: string | null;
            /** Items */
            items: components["schemas"]["ClusterJobOut"][];
            /** Mine */
            mine: number;
            queue: components["schemas"]["QueueBrief"];
            /** Total */
            total: number;
        };
        /** ComposeIn */
        ComposeIn: {
            form: components["schemas"]["JobForm"];
            /**
             * Gpu Memory Gb
             * @description The least memory of each GPU: the script names the type with the least memory that is enough. The form's `gpu_type` may then be a word of its name: `a100`.
             */
            gpu_memory_gb?: number | null;
            /**
             * Kept
             * @description Lines that the form has no field for, as returned by `parse`.
             */
            kept?: string[];
        };
        /**
         * ConfiguredLimit
         * @description What `portal.toml` sets for a group.
         */
        ConfiguredLimit: {
            /** Group */
            group: string;
            /** Group Max Gpu Hours */
            group_max_gpu_hours: number | null;
            /** Group Max Gpus */
            group_max_gpus: number | null;
            /** Max Gpus */
            max_gpus: number | null;
            /** Max Sessions */
            max_sessions: number | null;
            /** Max Walltime S */
            max_walltime_s: number | null;
            /** Partitions */
            partitions: string[] | null;
        };
        /**
         * Conflict
         * @description What to do when the target has something of that name.
         * @enum {string}
         */
        Conflict: "refuse" | "rename" | "replace";
        /** CopyOut */
        CopyOut: {
            /** Id */
            id: string;
            state: components["schemas"]["CopyState"];
        };
        /** CopyPage */
        CopyPage: {
            /** Items */
            items: components["schemas"]["CopyOut"][];
        };
        /**
         * CopyState
         * @description How a user's copy compares to the site's version.
         * @enum {string}
         */
        CopyState: "absent" | "same" | "older" | "changed" | "outdated";
        /**
         * Correction
         * @description A proposed change to the form, and the reason.
         */
        Correction: {
            /** Field */
            field: string;
            /** From */
            from: number | string | null;
            /** To */
            to: number | string | null;
            /** Why */
            why: string;
        };
        /** CpuCounts */
        CpuCounts: {
            /** Free */
            free: number;
            /** Total */
            total: number;
        };
        /** DefaultsOut */
        DefaultsOut: {
            /** App */
            app: string;
            /** Environment */
            environment: string | null;
            resources: components["schemas"]["Resources"] | null;
        };
        /** DeleteIn */
        DeleteIn: {
            /** Paths */
            paths: string[];
        };
        /**
         * DeliveryList
         * @description Newest first.
         */
        DeliveryList: {
            /** Items */
            items: components["schemas"]["DeliveryOut"][];
        };
        /** DeliveryOut */
        DeliveryOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Attempts */
            attempts: number;
            channel: components["schemas"]["Channel"];
            /** Done At */
            done_at: string | null;
            /** Event */
            event: string;
            /** Id */
            id: number;
            /**
             * Next At
             * @description When it is tried again.
             */
            next_at: string | null;
            /** Result */
            result: string;
            /** Session Id */
            session_id: string | null;
            state: components["schemas"]["DeliveryState"];
            /** Title */
            title: string;
        };
        /**
         * DeliveryState
         * @enum {string}
         */
        DeliveryState: "pending" | "sent" | "failed" | "dropped";
        /** Dependency */
        Dependency: {
            /** Job */
            job: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "after" | "afterany" | "afterok" | "afternotok" | "aftercorr";
        };
        /** DifferenceOut */
        DifferenceOut: {
            /** Cells */
            cells: components["schemas"]["CellChange"][];
            /** Id */
            id: string;
        };
        /**
         * DirectoryOut
         * @description The state of the directory: its data was read at `as_of`; it has not answered since `silent_since`.
         */
        DirectoryOut: {
            /** As Of */
            as_of: string | null;
            /** Message */
            message: string | null;
            /** Silent Since */
            silent_since: string | null;
        };
        /**
         * Done
         * @description `now`: its new path's last part or, in the bin, its id; restored, its path.
         */
        Done: {
            /** Now */
            now: string;
            /** Path */
            path: string;
        };
        /**
         * Drain
         * @description Nodes to drain. Running jobs continue; their owners are notified.
         */
        Drain: {
            /**
             * Deadline
             * @description When users should be finished; announced, not enforced.
             */
            deadline?: string | null;
            /**
             * Message
             * @description Message to users with jobs there.
             * @default
             */
            message: string;
            /** Nodes */
            nodes: string[];
            /** Reason */
            reason: string;
        };
        /** EffectiveOut */
        EffectiveOut: {
            /** Gpu Types */
            gpu_types: string[] | null;
            /** Max Gpu Hours */
            max_gpu_hours: number | null;
            /** Max Gpus */
            max_gpus: number;
            /** Max Sessions */
            max_sessions: number;
            /** Max Walltime S */
            max_walltime_s: number;
            /** Partitions */
            partitions: string[] | null;
        };
        /**
         * EfficiencyOut
         * @description How much of the request was used, in percent; null if Slurm did not measure it.
         */
        EfficiencyOut: {
            /** Cpu Percent */
            cpu_percent: number | null;
            /** Gpu Percent */
            gpu_percent: number | null;
            /** Memory Percent */
            memory_percent: number | null;
        };
        /** EmptyIn */
        EmptyIn: {
            /**
             * Ids
             * @description None: everything.
             * @default []
             */
            ids: string[];
        };
        /**
         * EndedRow
         * @description A session that would have been ended.
         */
        EndedRow: {
            /**
             * Ended At
             * Format: date-time
             */
            ended_at: string;
            /** Gpu Hours Back */
            gpu_hours_back: number;
            /** Gpus */
            gpus: number;
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Owner */
            owner: string;
            /**
             * Warned At
             * Format: date-time
             */
            warned_at: string;
            /**
             * Worked At
             * @description When it next worked after that; null: never.
             */
            worked_at: string | null;
        };
        /**
         * EndOut
         * @description How a session ended: a stable code, a sentence, and what to do next.
         */
        EndOut: {
            /** Advice */
            advice: string | null;
            /** Code */
            code: string;
            /** Exit Code */
            exit_code: number | null;
            next: components["schemas"]["NextStart"];
            /**
             * Seen
             * @description Whether you have seen it, or chose not to be shown it on top any more.
             */
            seen: boolean;
            /** Text */
            text: string;
        };
        /** Entry */
        Entry: {
            /**
             * State
             * @description What the session's host gave the browser, which binds the login to it.
             */
            state?: string | null;
        };
        /** EntryOut */
        EntryOut: {
            /**
             * Location
             * @description URL for the browser to open next.
             */
            location: string;
        };
        /** EnvironmentBrief */
        EnvironmentBrief: {
            /** Description */
            description: string;
            /** Installable */
            installable: boolean;
            /** Installed */
            installed: boolean;
            /**
             * Kind
             * @default path
             * @enum {string}
             */
            kind: "path" | "modules" | "image";
            /** Name */
            name: string;
            /**
             * Own
             * @description Whether it is one of the caller's images.
             * @default false
             */
            own: boolean;
            /**
             * Reason
             * @description Why sessions cannot use it now.
             */
            reason?: string | null;
            /** Size Mb */
            size_mb: number;
            /** Title */
            title: string;
            /** Version */
            version: string;
        };
        /** EnvironmentOut */
        EnvironmentOut: {
            /** Description */
            description: string;
            /**
             * Installable
             * @description Whether the portal can install it.
             */
            installable: boolean;
            /**
             * Installed
             * @description Whether sessions can use it now; also true while a newer version is being installed.
             */
            installed: boolean;
            /**
             * Kind
             * @default path
             * @enum {string}
             */
            kind: "path" | "modules" | "image";
            /** Message */
            message: string;
            /** Name */
            name: string;
            /**
             * Own
             * @description Whether it is one of the caller's images.
             * @default false
             */
            own: boolean;
            /** Progress */
            progress: number;
            /**
             * Reason
             * @description Why sessions cannot use it now.
             */
            reason?: string | null;
            /** Size Mb */
            size_mb: number;
            /** @description State of the last installation. */
            state: components["schemas"]["State"];
            /** Title */
            title: string;
            /** Version */
            version: string;
        };
        /** EnvironmentPage */
        EnvironmentPage: {
            /** Items */
            items: components["schemas"]["EnvironmentOut"][];
        };
        /**
         * Error
         * @description The body of every error.
         */
        Error: {
            error: components["schemas"]["ErrorBody"];
        };
        /** ErrorBody */
        ErrorBody: {
            /**
             * Code
             * @description Stable; see docs/reference/codes.md.
             */
            code: string;
            /**
             * Fields
             * @description What is wrong with the request, field by field.
             */
            fields: components["schemas"]["FieldError"][];
            /**
             * Hint
             * @description What to do next.
             */
            hint: string;
            /**
             * Message
             * @description What happened, in a sentence.
             */
            message: string;
            /** Request Id */
            request_id: string;
        };
        /**
         * EstimateOut
         * @description When a session that waits will probably start.
         */
        EstimateOut: {
            /**
             * Ahead By
             * @description When Slurm plans to start the last job ahead, by time limits.
             */
            ahead_by: string | null;
            /** @description By recent jobs like it; null with too few. */
            wait: components["schemas"]["WaitRange"] | null;
        };
        /** ExtendSessions */
        ExtendSessions: {
            /**
             * Beyond Limits
             * @description Extend even past the owner's and the partition's limits, or into planned maintenance.
             * @default false
             */
            beyond_limits: boolean;
            /**
             * Seconds
             * @description How much time to add.
             */
            seconds: number;
            /** Sessions */
            sessions: string[];
        };
        /** Failed */
        Failed: {
            /** Code */
            code: string;
            /** Message */
            message: string;
            /** Path */
            path: string;
        };
        /**
         * FeatureOut
         * @description A feature of nodes, and how many of the partition's nodes have it.
         */
        FeatureOut: {
            /** Name */
            name: string;
            /** Nodes */
            nodes: number;
        };
        /** FieldError */
        FieldError: {
            /** Field */
            field: string;
            /** Message */
            message: string;
        };
        /**
         * Figures
         * @description GPU-hours and CPU-hours allocated; of the GPU-hours, how many were used, unused, and not measured.
         */
        Figures: {
            /**
             * Co2 Kg
             * @description By the site's `usage.co2_g_per_kwh`; null: not set.
             */
            co2_kg: number | null;
            /** Cpu Hours */
            cpu_hours: number;
            /** Cpu Hours Unknown */
            cpu_hours_unknown: number;
            /** Cpu Hours Used */
            cpu_hours_used: number;
            /**
             * Energy Kwh
             * @description Of the GPUs alone, where it was measured.
             */
            energy_kwh: number;
            /** Gpu Hours */
            gpu_hours: number;
            /**
             * Gpu Hours Unknown
             * @description Allocated, but not measured: they may have been used.
             */
            gpu_hours_unknown: number;
            /**
             * Gpu Hours Unused
             * @description Measured, and idle.
             */
            gpu_hours_unused: number;
            /**
             * Gpu Hours Used
             * @description GPU-hours times GPU utilization, where it was measured.
             */
            gpu_hours_used: number;
            /**
             * Jobs
             * @description Jobs that started in this time; each task of an array counts.
             */
            jobs: number;
            /**
             * Wait Median S
             * @description Half of the jobs waited at most this long; within 2.5 %.
             */
            wait_median_s: number | null;
            /** Wait P95 S */
            wait_p95_s: number | null;
        };
        /** FileEntry */
        FileEntry: {
            /** Group */
            group: string;
            kind: components["schemas"]["FileKind"];
            /**
             * Link
             * @description Whether it is a symbolic link; the rest describes where it leads.
             */
            link: boolean;
            /**
             * Mode
             * @description As in `rwxr-x---`.
             */
            mode: string;
            /** Modified */
            modified: string | null;
            /** Name */
            name: string;
            /** Owner */
            owner: string;
            /** Readable */
            readable: boolean;
            /**
             * Size
             * @description Bytes.
             */
            size: number;
            /** Writable */
            writable: boolean;
        };
        /**
         * FileKind
         * @enum {string}
         */
        FileKind: "file" | "folder" | "other" | "missing";
        /**
         * FilesOut
         * @description A path and, for a folder, a page of its contents.
         */
        FilesOut: {
            /** Entries */
            entries: components["schemas"]["FileEntry"][];
            /**
             * Group
             * @default
             */
            group: string;
            kind: components["schemas"]["FileKind"];
            /**
             * Mode
             * @default
             */
            mode: string;
            /** Modified */
            modified?: string | null;
            /**
             * Owner
             * @default
             */
            owner: string;
            /**
             * Path
             * @description As requested.
             */
            path: string;
            /**
             * Real Path
             * @description Absolute, links followed.
             */
            real_path: string;
            /**
             * Shared With
             * @description Who else may read or change it, in words.
             * @default
             */
            shared_with: string;
            /**
             * Size
             * @description Bytes of a file.
             * @default 0
             */
            size: number;
            /**
             * Total
             * @description Matching entries; null: the folder was not read to its end in time.
             */
            total: number | null;
            /**
             * Truncated
             * @description Whether there are more entries after these.
             */
            truncated: boolean;
            /**
             * Writable
             * @description Of a missing path: whether it could be created.
             */
            writable: boolean;
        };
        /**
         * Finding
         * @description Something that an administrator should know about a node.
         */
        Finding: {
            /**
             * Level
             * @enum {string}
             */
            level: "warn" | "bad";
            /** Text */
            text: string;
        };
        /**
         * FitOut
         * @description What your last sessions like it used, and the memory that holds that with room to spare.
         */
        FitOut: {
            /**
             * By
             * @description What they have in common beside the app: the first of these by which enough was measured.
             * @enum {string}
             */
            by: "template" | "preset" | "environment";
            /** Memory Mib */
            memory_mib: number;
            /** Peak Mib */
            peak_mib: number;
            /** Sessions */
            sessions: number;
        };
        /** FolderIn */
        FolderIn: {
            /** Path */
            path: string;
        };
        /** FrameworkOut */
        FrameworkOut: {
            /** Description */
            description: string;
            /** Framework */
            framework: string;
            /**
             * Repository
             * @description With the registry's host; a reference is `docker://`, this, `:` and a tag.
             */
            repository: string;
            /** Tags */
            tags: components["schemas"]["TagOut"][];
            /** Title */
            title: string;
        };
        /** GpuKindOut */
        GpuKindOut: {
            /** Count */
            count: number;
            /** Type */
            type: string;
        };
        /** GpuPoolOut */
        GpuPoolOut: {
            /** Down */
            down: number;
            /** Free */
            free: number;
            /**
             * Memory Gb
             * @description The least memory with which such a GPU is sold; null: unknown.
             */
            memory_gb?: number | null;
            /** Most Free On A Node */
            most_free_on_a_node: number;
            /**
             * Mps Per Gpu
             * @description What Slurm counts as all of one when jobs share it by MPS, usually 100; 0: they cannot.
             * @default 0
             */
            mps_per_gpu: number;
            /**
             * Reserved
             * @description Not in use, but only for the jobs of a reservation that has started.
             */
            reserved: number;
            /**
             * Shards Per Gpu
             * @description Into how many shards one of them can be split; 0: none.
             * @default 0
             */
            shards_per_gpu: number;
            /** Total */
            total: number;
            /** Type */
            type: string;
        };
        /**
         * GpuProcess
         * @description One of the session's or job's processes on a GPU.
         */
        GpuProcess: {
            /**
             * Memory Mib
             * @description null: the driver does not report it.
             */
            memory_mib?: number | null;
            /**
             * Name
             * @default
             */
            name: string;
            /** Pid */
            pid: number;
        };
        /**
         * GpuTotalOut
         * @description What a session or a job has done with one of its GPUs so far; null: not measured.
         */
        GpuTotalOut: {
            /**
             * As Of
             * Format: date-time
             */
            as_of: string;
            /**
             * Bandwidth Peak Percent
             * @description The highest mean of a minute.
             */
            bandwidth_peak_percent: number | null;
            /**
             * Bandwidth Percent
             * @description How much of its memory bandwidth was used, as a mean.
             */
            bandwidth_percent: number | null;
            /** Energy Wh */
            energy_wh: number | null;
            /**
             * Index
             * @description Its number within the job, on this node.
             */
            index: number;
            /** Measured S */
            measured_s: number;
            /**
             * Memory Mib
             * @description What the GPU has.
             */
            memory_mib: number | null;
            /** Memory Peak Mib */
            memory_peak_mib: number | null;
            /** Name */
            name: string;
            /** Node */
            node: string;
            /**
             * Peak Percent
             * @description Highest reading.
             */
            peak_percent: number | null;
            /**
             * Percent
             * @description Mean utilization.
             */
            percent: number | null;
            /** Power Peak W */
            power_peak_w: number | null;
            /**
             * Problems
             * @description Its Xid errors, and what slowed its clocks, in words.
             */
            problems: string[];
            /**
             * Sm Peak Percent
             * @description The highest mean of a minute.
             */
            sm_peak_percent: number | null;
            /**
             * Sm Percent
             * @description How many of its multiprocessors were busy, as a mean. From Hopper on, as the next three.
             */
            sm_percent: number | null;
            /** Uuid */
            uuid: string;
        };
        /** GpuTotalsOut */
        GpuTotalsOut: {
            /**
             * Co2 G
             * @description By the site's `usage.co2_g_per_kwh`; null: not set.
             */
            co2_g: number | null;
            /**
             * Energy Wh
             * @description All of them together.
             */
            energy_wh: number | null;
            /** Items */
            items: components["schemas"]["GpuTotalOut"][];
        };
        /**
         * GpuUse
         * @description A GPU or MIG instance since the last report; null: the driver does not report it.
         */
        GpuUse: {
            /**
             * Bandwidth Percent
             * @description How much of its memory bandwidth was used, as a mean.
             */
            bandwidth_percent?: number | null;
            /**
             * Energy J
             * @description Since the first report.
             */
            energy_j?: number | null;
            /** Index */
            index: number;
            /** Memory Peak Mib */
            memory_peak_mib?: number | null;
            /** Memory Total Mib */
            memory_total_mib?: number | null;
            /**
             * Memory Used Mib
             * @description At the last reading.
             */
            memory_used_mib?: number | null;
            /**
             * Name
             * @default
             */
            name: string;
            /**
             * Nvlink Mib S
             * @description Over NVLink, both directions.
             */
            nvlink_mib_s?: number | null;
            /**
             * Pcie Mib S
             * @description Over PCIe, both directions.
             */
            pcie_mib_s?: number | null;
            /** Power Peak W */
            power_peak_w?: number | null;
            /**
             * Power W
             * @description Mean.
             */
            power_w?: number | null;
            /**
             * Processes
             * @description Those with most memory first.
             */
            processes?: components["schemas"]["GpuProcess"][];
            /** Slowed By */
            slowed_by?: ("heat" | "power_brake" | "hardware") | null;
            /**
             * Slowed Percent
             * @description How much of the time heat or power slowed its clocks.
             */
            slowed_percent?: number | null;
            /**
             * Sm Percent
             * @description How many of its multiprocessors were busy, as a mean. From Hopper on, as the next three.
             */
            sm_percent?: number | null;
            /**
             * Utilization
             * @description Mean, in percent: how much of the time it did anything.
             */
            utilization?: number | null;
            /**
             * Utilization Peak
             * @description Highest reading.
             */
            utilization_peak?: number | null;
            /**
             * Uuid
             * @default
             */
            uuid: string;
            /**
             * Xids
             * @description Xid errors since then, the last ones.
             */
            xids?: number[];
        };
        /** GroupList */
        GroupList: {
            directory: components["schemas"]["DirectoryOut"];
            /** Items */
            items: components["schemas"]["GroupRow"][];
            /** Total */
            total: number;
        };
        /**
         * GroupRow
         * @description A group, with what its direct members hold. `admin`, `login`: its members are administrators, can log in.
         */
        GroupRow: {
            /** Admin */
            admin: boolean;
            /**
             * Gpu Hours Promised
             * @description What sessions and jobs that have not ended may still use.
             * @default 0
             */
            gpu_hours_promised: number;
            /**
             * Gpu Hours Used
             * @description Used this month (UTC).
             * @default 0
             */
            gpu_hours_used: number;
            /**
             * Gpus
             * @default 0
             */
            gpus: number;
            limit: components["schemas"]["LimitRow"] | null;
            /** Login */
            login: boolean;
            /** Members */
            members: number | null;
            /** Name */
            name: string;
            /**
             * Sessions
             * @default 0
             */
            sessions: number;
        };
        /**
         * Happening
         * @description The events that a user can be notified about.
         * @enum {string}
         */
        Happening: "ready" | "ending_soon" | "ended_badly" | "idle" | "message";
        /** HealthOut */
        HealthOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Calls */
            calls: components["schemas"]["CallsOut"][];
            /** Calls Per Minute */
            calls_per_minute: number;
            /** Nodes As Of */
            nodes_as_of: string | null;
            /** Parts */
            parts: components["schemas"]["PartOut"][];
            /** Queue As Of */
            queue_as_of: string | null;
            /**
             * Readers
             * @description Open event streams.
             */
            readers: number;
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
        };
        /**
         * HistoryOut
         * @description The totals over a span; times without a reading have no point.
         */
        HistoryOut: {
            /** Items */
            items: components["schemas"]["TotalsOut"][];
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /**
             * Span
             * @enum {string}
             */
            span: "hour" | "day" | "week" | "month";
            /** Step S */
            step_s: number;
        };
        /**
         * IdleOut
         * @description A session that was found idle, and what its owner can do.
         */
        IdleOut: {
            /**
             * Ends At
             * @description When it will be ended unless it works again; null: it will not be.
             */
            ends_at: string | null;
            /**
             * Since
             * Format: date-time
             * @description Since when it has done nothing.
             */
            since: string;
            /**
             * Snooze Minutes
             * @description How long one snooze puts it off.
             */
            snooze_minutes: number;
            /** Snoozes Left */
            snoozes_left: number;
        };
        /**
         * IdleReport
         * @description What the idle policy would have done with the sessions of the last days.
         */
        IdleReport: {
            /** Came Back */
            came_back: number;
            /**
             * Cleared
             * @description Warnings after which the session worked again in time.
             */
            cleared: number;
            /** Ended */
            ended: number;
            /**
             * Ends
             * @description Most GPU-hours first, at most 200.
             */
            ends: components["schemas"]["EndedRow"][];
            /** Exempt */
            exempt: number;
            /**
             * Gpu Hours
             * @description Recorded GPU-hours of these sessions.
             */
            gpu_hours: number;
            /** Gpu Hours Back */
            gpu_hours_back: number;
            /**
             * Gpu Hours Unknown
             * @description Of these, with a measure missing: they count as work.
             */
            gpu_hours_unknown: number;
            /**
             * Owners
             * @description Most GPU-hours first.
             */
            owners: components["schemas"]["OwnerRow"][];
            /**
             * Recorded Days
             * @description For how long single samples are kept (`usage.raw_days`).
             */
            recorded_days: number;
            rule: components["schemas"]["RuleOut"];
            /**
             * Sessions
             * @description Sessions with GPUs whose use was recorded.
             */
            sessions: number;
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /** Warned */
            warned: number;
        };
        /**
         * ImageBrief
         * @description The container image that a session runs in, to reproduce it later.
         */
        ImageBrief: {
            /** Digest */
            digest: string | null;
            /** Path */
            path: string;
            /** Reference */
            reference: string | null;
            /** Title */
            title: string;
        };
        /**
         * ImageIn
         * @description Either a reference to pull, or the path of an existing image.
         */
        ImageIn: {
            /** Path */
            path?: string | null;
            /** Reference */
            reference?: string | null;
            /**
             * Scope
             * @default user
             * @enum {string}
             */
            scope: "user" | "site";
            /** Title */
            title?: string | null;
        };
        /** ImageOut */
        ImageOut: {
            /** Digest */
            digest: string | null;
            /**
             * Environment
             * @description Its name as an environment, once it is ready.
             */
            environment: string | null;
            /** Id */
            id: string;
            /**
             * Job Id
             * @description The Slurm job that pulls it.
             */
            job_id: number | null;
            /** Message */
            message: string;
            /**
             * Mine
             * @description Whether the caller may remove it from the list.
             */
            mine: boolean;
            /** Path */
            path: string;
            /** Progress */
            progress: number;
            /**
             * Reference
             * @description What it was built from, such as `docker://nvcr.io/nvidia/pytorch:24.05-py3`.
             */
            reference: string | null;
            scope: components["schemas"]["Scope"];
            /** Size Mb */
            size_mb: number | null;
            state: components["schemas"]["ImageState"];
            /** Title */
            title: string;
        };
        /** ImagePage */
        ImagePage: {
            /**
             * Folder
             * @description Where the images that the caller pulls are stored.
             */
            folder: string;
            /** Items */
            items: components["schemas"]["ImageOut"][];
            quota: components["schemas"]["QuotaOut"] | null;
            /**
             * Site Folder
             * @description Where the images for all users are stored.
             */
            site_folder: string | null;
        };
        /**
         * ImageState
         * @enum {string}
         */
        ImageState: "pulling" | "ready" | "failed" | "missing";
        /**
         * JobAction
         * @enum {string}
         */
        JobAction: "hold" | "release" | "requeue" | "cancel" | "time_limit" | "priority";
        /**
         * JobCheckOut
         * @description What Slurm would do with a job, without submitting it.
         */
        JobCheckOut: {
            /**
             * Cautions
             * @description What the job probably lacks where it runs; Slurm would accept it anyway.
             */
            cautions: string[];
            /**
             * Nodes
             * @description The nodes it would get now, as a Slurm node list.
             */
            nodes: string | null;
            /** Ok */
            ok: boolean;
            /** Problems */
            problems: components["schemas"]["JobProblem"][];
            /** Starts At */
            starts_at: string | null;
            /** Text */
            text: string;
        };
        /** JobDetail */
        JobDetail: {
            /** Account */
            account: string;
            /**
             * Actions
             * @description Actions that are possible now.
             */
            actions: components["schemas"]["Action"][];
            array: components["schemas"]["ArrayOut"] | null;
            /**
             * Constraint
             * @description Features that its script asks for: `a100&nvme`.
             */
            constraint?: string | null;
            /** Cpus */
            cpus: number;
            /** Dependencies */
            dependencies: string[];
            efficiency: components["schemas"]["EfficiencyOut"] | null;
            end: components["schemas"]["JobEndOut"] | null;
            /** Ended At */
            ended_at: string | null;
            /** Ends At */
            ends_at: string | null;
            /** Events */
            events: components["schemas"]["JobEventOut"][];
            /**
             * Exclusive
             * @description Whether its script asks for whole nodes.
             * @default false
             */
            exclusive: boolean;
            /** Exit Code */
            exit_code: number | null;
            /** Expected Start */
            expected_start: string | null;
            /** From Portal */
            from_portal: boolean;
            /** Gpu Type */
            gpu_type: string | null;
            /** Gpus */
            gpus: number;
            /**
             * Id
             * @description `123`, or `123_7` for a task of an array.
             */
            id: string;
            /**
             * Licenses
             * @description Licences that its script asks for: `matlab:2,ansys`.
             */
            licenses?: string | null;
            /**
             * Memory Mib
             * @description Of the whole job.
             */
            memory_mib: number | null;
            /**
             * Mps Per Node
             * @description Percent of a GPU by MPS that its script asks for on each node.
             * @default 0
             */
            mps_per_node: number;
            /** Name */
            name: string;
            /** Node List */
            node_list: string;
            /** Nodes */
            nodes: number;
            /**
             * Notify
             * @description Whether its owner is notified when it starts and ends.
             */
            notify: boolean;
            /** Partition */
            partition: string;
            /** Qos */
            qos: string;
            /**
             * Reason
             * @description Why it is pending, in words.
             */
            reason: string | null;
            /** Reason Code */
            reason_code: string | null;
            /**
             * Recorded
             * @description False just after submitting, until the portal has recorded the job.
             * @default true
             */
            recorded: boolean;
            /**
             * Script
             * @description Null for a job that was not submitted here.
             */
            script: string | null;
            /**
             * Script Missing
             * @description Why there is no script; null if there is one.
             */
            script_missing: string | null;
            /**
             * Shards Per Node
             * @description Shards of a GPU that its script asks for on each node.
             * @default 0
             */
            shards_per_node: number;
            /** Signal */
            signal: number | null;
            /** Started At */
            started_at: string | null;
            /**
             * State
             * @description Slurm's name of the state.
             */
            state: string;
            /** Stderr */
            stderr: string | null;
            /**
             * Stdout
             * @description File of its output, for an array with its patterns; null while unknown.
             */
            stdout: string | null;
            /** Submitted At */
            submitted_at: string | null;
            usage: components["schemas"]["JobUsageOut"] | null;
            /** Walltime S */
            walltime_s: number | null;
            /** Wckey */
            wckey?: string | null;
            /** Workdir */
            workdir: string | null;
        };
        /** JobEndOut */
        JobEndOut: {
            /** Advice */
            advice: string | null;
            /** Code */
            code: string;
            /** Text */
            text: string;
        };
        /** JobEventOut */
        JobEventOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Text */
            text: string;
        };
        /**
         * JobFitOut
         * @description What your last jobs of a name needed on their node, and what holds that with room to spare.
         */
        JobFitOut: {
            /**
             * Jobs
             * @description How many of the last five were compared: those that finished, on one node.
             */
            jobs: number;
            /**
             * Longest S
             * @description null: one of the last five reached its time limit.
             */
            longest_s: number | null;
            /** Memory Mib */
            memory_mib: number | null;
            /**
             * Peak Mib
             * @description null: not measured, or one of the last five ran out of memory.
             */
            peak_mib: number | null;
            /** Walltime S */
            walltime_s: number | null;
        };
        /**
         * JobForm
         * @description A job as the form shows it. Counts are per node; null leaves a value to Slurm's defaults.
         */
        JobForm: {
            /** Account */
            account?: string | null;
            array?: components["schemas"]["ArraySpec"] | null;
            /**
             * Command
             * @default
             */
            command: string;
            /**
             * Constraint
             * @description Features that its nodes must have: `a100&nvme`.
             */
            constraint?: string | null;
            /** Cpus Per Task */
            cpus_per_task?: number | null;
            /** Dependencies */
            dependencies?: components["schemas"]["Dependency"][];
            /** Env */
            env?: components["schemas"]["Variable"][];
            /** Environment */
            environment?: string | null;
            /**
             * Error
             * @description Null: the same file as the output.
             */
            error?: string | null;
            /**
             * Exclusive
             * @description Whether it gets whole nodes, with all their GPUs and cores.
             * @default false
             */
            exclusive: boolean;
            /** Gpu Type */
            gpu_type?: string | null;
            /**
             * Gpus Per Node
             * @default 0
             */
            gpus_per_node: number;
            /**
             * Licenses
             * @description Licences, with how many of each: `matlab:2,ansys`.
             */
            licenses?: string | null;
            /** Memory Mib Per Node */
            memory_mib_per_node?: number | null;
            /** Modules */
            modules?: string[];
            /**
             * Mps Per Node
             * @description Of one GPU, shared by MPS, instead of whole ones: percent where Slurm counts 100 for a GPU.
             * @default 0
             */
            mps_per_node: number;
            /**
             * Name
             * @default job
             */
            name: string;
            /**
             * Nodes
             * @default 1
             */
            nodes: number;
            /**
             * Notify
             * @description Whether the portal's pages notify its owner when it starts and ends.
             * @default false
             */
            notify: boolean;
            /**
             * Output
             * @description With Slurm's patterns, such as %j; null: Slurm's own name.
             */
            output?: string | null;
            /** Partition */
            partition?: string | null;
            /** Qos */
            qos?: string | null;
            /** Reservation */
            reservation?: string | null;
            /**
             * Shards Per Node
             * @description Of one GPU, instead of whole ones.
             * @default 0
             */
            shards_per_node: number;
            /** Tasks Per Node */
            tasks_per_node?: number | null;
            /** Walltime S */
            walltime_s?: number | null;
            /** Wckey */
            wckey?: string | null;
            /**
             * Workdir
             * @description Null: the home folder.
             */
            workdir?: string | null;
        };
        /** JobLastUse */
        JobLastUse: {
            /** @description null: none of them finished after running for ten minutes. */
            fit: components["schemas"]["JobFitOut"] | null;
        };
        /** JobPage */
        JobPage: {
            /**
             * As Of
             * @description When the Slurm snapshot behind it was taken.
             */
            as_of: string | null;
            /** Items */
            items: components["schemas"]["JobRow"][];
            /**
             * Next
             * @description Pass as `before` for the next page; null at the end.
             */
            next: string | null;
        };
        /** JobProblem */
        JobProblem: {
            /** Field */
            field: string;
            /** Message */
            message: string;
        };
        /** JobResult */
        JobResult: {
            /** Id */
            id: string;
            /** Message */
            message: string;
            /** Ok */
            ok: boolean;
        };
        /** JobResults */
        JobResults: {
            /** Results */
            results: components["schemas"]["JobResult"][];
        };
        /** JobRow */
        JobRow: {
            /** Account */
            account: string;
            array: components["schemas"]["ArrayOut"] | null;
            /** Cpus */
            cpus: number;
            efficiency: components["schemas"]["EfficiencyOut"] | null;
            end: components["schemas"]["JobEndOut"] | null;
            /** Ended At */
            ended_at: string | null;
            /** Ends At */
            ends_at: string | null;
            /** Exit Code */
            exit_code: number | null;
            /** Expected Start */
            expected_start: string | null;
            /** From Portal */
            from_portal: boolean;
            /** Gpu Type */
            gpu_type: string | null;
            /** Gpus */
            gpus: number;
            /**
             * Id
             * @description `123`, or `123_7` for a task of an array.
             */
            id: string;
            /**
             * Memory Mib
             * @description Of the whole job.
             */
            memory_mib: number | null;
            /** Name */
            name: string;
            /** Node List */
            node_list: string;
            /** Nodes */
            nodes: number;
            /**
             * Notify
             * @description Whether its owner is notified when it starts and ends.
             */
            notify: boolean;
            /** Partition */
            partition: string;
            /** Qos */
            qos: string;
            /**
             * Reason
             * @description Why it is pending, in words.
             */
            reason: string | null;
            /** Reason Code */
            reason_code: string | null;
            /** Signal */
            signal: number | null;
            /** Started At */
            started_at: string | null;
            /**
             * State
             * @description Slurm's name of the state.
             */
            state: string;
            /** Submitted At */
            submitted_at: string | null;
            usage: components["schemas"]["JobUsageOut"] | null;
            /** Walltime S */
            walltime_s: number | null;
        };
        /** JobsAction */
        JobsAction: {
            action: components["schemas"]["JobAction"];
            /** Jobs */
            jobs: string[];
            /** Priority */
            priority?: number | null;
            /** Walltime S */
            walltime_s?: number | null;
        };
        /**
         * JobUsageOut
         * @description What Slurm measured; memory of the largest task.
         */
        JobUsageOut: {
            /** Cpu S */
            cpu_s: number | null;
            /** Memory Mib */
            memory_mib: number | null;
        };
        /**
         * JobUse
         * @description A job with measured GPUs, and how much of them it left unused.
         */
        JobUse: {
            /** Ended At */
            ended_at: string | null;
            /** Gpu Hours */
            gpu_hours: number;
            /** Gpu Hours Unused */
            gpu_hours_unused: number;
            /** Gpu Percent */
            gpu_percent: number;
            /** Gpus */
            gpus: number;
            /** Job Id */
            job_id: number;
            /** Partition */
            partition: string;
            /** Session Id */
            session_id: string | null;
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /** User */
            user: string;
        };
        /**
         * KindOut
         * @description What nodes of the same kind have in common.
         */
        KindOut: {
            /** Cpus */
            cpus: number;
            /** Features */
            features: string[];
            /** Gpus */
            gpus: components["schemas"]["GpuKindOut"][];
            /** Memory Mib */
            memory_mib: number;
            /** Partitions */
            partitions: string[];
        };
        /** LabFilesOut */
        LabFilesOut: {
            /**
             * Urls
             * @description Empty where sessions serve the files themselves, or a browser would not find them in its cache.
             */
            urls: string[];
        };
        /** LastUse */
        LastUse: {
            /** @description null: too little was measured, or one of them ran out of memory. */
            fit: components["schemas"]["FitOut"] | null;
        };
        /** LicenseOut */
        LicenseOut: {
            /**
             * Free
             * @description As last read; neither used nor reserved.
             */
            free: number;
            /** Name */
            name: string;
            /** Total */
            total: number;
        };
        /**
         * LimitIn
         * @description The whole rule of a user or group; null: not limited here, the next layer applies.
         */
        LimitIn: {
            /**
             * Gpu Types
             * @description GPU types that may be used.
             */
            gpu_types?: string[] | null;
            /**
             * Group Max Gpu Hours
             * @description GPU-hours per month (UTC) of all members together; groups only.
             */
            group_max_gpu_hours?: number | null;
            /**
             * Group Max Gpus
             * @description GPUs at once of all members together; groups only.
             */
            group_max_gpus?: number | null;
            /**
             * Max Gpu Hours
             * @description GPU-hours per month (UTC) of the user, or of each member.
             */
            max_gpu_hours?: number | null;
            /**
             * Max Gpus
             * @description GPUs at once of the user, or of each member: of sessions and batch jobs, running or queued.
             */
            max_gpus?: number | null;
            /**
             * Max Sessions
             * @description Sessions at once of the user, or of each member.
             */
            max_sessions?: number | null;
            /**
             * Max Walltime S
             * @description Longest time limit of a session or batch job.
             */
            max_walltime_s?: number | null;
            /**
             * Partitions
             * @description Partitions that may be used.
             */
            partitions?: string[] | null;
        };
        /** LimitList */
        LimitList: {
            /** Configured */
            configured: components["schemas"]["ConfiguredLimit"][];
            /** Items */
            items: components["schemas"]["LimitRow"][];
            site: components["schemas"]["SiteLimits"];
        };
        /** LimitRow */
        LimitRow: {
            /**
             * Changed At
             * Format: date-time
             */
            changed_at: string;
            /** Changed By */
            changed_by: string;
            /** Gpu Types */
            gpu_types: string[] | null;
            /** Group Max Gpu Hours */
            group_max_gpu_hours: number | null;
            /** Group Max Gpus */
            group_max_gpus: number | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "user" | "group";
            /** Max Gpu Hours */
            max_gpu_hours: number | null;
            /** Max Gpus */
            max_gpus: number | null;
            /** Max Sessions */
            max_sessions: number | null;
            /** Max Walltime S */
            max_walltime_s: number | null;
            /** Name */
            name: string;
            /** Partitions */
            partitions: string[] | null;
            /**
             * Version
             * @description Send it as `If-Match` when you change the rule.
             */
            version: number;
        };
        /** Line */
        Line: {
            /**
             * Change
             * @enum {string}
             */
            change: "same" | "mine" | "new";
            /** Text */
            text: string;
        };
        /**
         * LiveNodeRow
         * @description One node. `gpus` has a character per GPU.
         *
         *     A letter for each job of the node, `.` free, `%` shared by jobs in parts, `?` used unaccounted.
         */
        LiveNodeRow: {
            /** Cpus */
            cpus: number;
            /** Gpus */
            gpus: string;
            /** Kind */
            kind: number;
            /** Memory Mib */
            memory_mib: number;
            /** Name */
            name: string;
            /** Reason */
            reason: string;
            /**
             * State
             * @enum {string}
             */
            state: "idle" | "mixed" | "full" | "draining" | "drained" | "down" | "reserved" | "maintenance" | "asleep";
        };
        /**
         * LiveUseOut
         * @description What a running job uses now. It is measured while clients poll, every five seconds.
         */
        LiveUseOut: {
            /** As Of */
            as_of: string | null;
            /** Message */
            message: string | null;
            /** Nodes */
            nodes: components["schemas"]["NodeUseOut"][];
            /**
             * State
             * @description `idle`: the job is not running; `starting`: waiting for the first reading; `unknown`: see `message`.
             * @enum {string}
             */
            state: "idle" | "starting" | "live" | "unknown";
        };
        /** Logout */
        Logout: {
            /**
             * Location
             * @description URL for the browser to open next, to log out of the Hub.
             */
            location: string;
        };
        /**
         * LogOut
         * @description A piece of a session's log; offsets in bytes.
         */
        LogOut: {
            /** Next Offset */
            next_offset: number;
            /** Offset */
            offset: number;
            /** Size */
            size: number;
            /** Text */
            text: string;
        };
        /** MailIn */
        MailIn: {
            /** Events */
            events: components["schemas"]["Happening"][];
        };
        /** MailOut */
        MailOut: {
            /**
             * Address
             * @description Your address in the directory; null if it has none.
             */
            address: string | null;
            /** Events */
            events: components["schemas"]["Happening"][];
            /**
             * Offered
             * @description Whether this site sends mail.
             */
            offered: boolean;
            /**
             * Why Not
             * @description Why no mail can be sent to you.
             */
            why_not: string | null;
        };
        /**
         * ManyOut
         * @description What became of each path: one that fails does not keep the others from being done.
         */
        ManyOut: {
            /** Done */
            done: components["schemas"]["Done"][];
            /** Failed */
            failed: components["schemas"]["Failed"][];
        };
        /** Me */
        Me: {
            /** Admin */
            admin: boolean;
            /** Csrf Token */
            csrf_token: string | null;
            /** Display Name */
            display_name: string;
            /** Groups */
            groups: string[];
            /** Username */
            username: string;
        };
        /**
         * MessageList
         * @description Unread messages, oldest first.
         */
        MessageList: {
            /** Items */
            items: components["schemas"]["MessageOut"][];
        };
        /** MessageOut */
        MessageOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Author */
            author: string;
            /** Id */
            id: number;
            /** Session Id */
            session_id: string | null;
            /** Text */
            text: string;
        };
        /** MessageSessions */
        MessageSessions: {
            /** Sessions */
            sessions: string[];
            /** Text */
            text: string;
        };
        /**
         * Missing
         * @description What does not work for users because `part` is down.
         */
        Missing: {
            /** Part */
            part: string;
            /** Since */
            since: string | null;
            /** Text */
            text: string;
        };
        /** ModeIn */
        ModeIn: {
            /**
             * Mode
             * @description Octal, as in 640.
             */
            mode: string;
            /** Path */
            path: string;
        };
        /**
         * ModuleOut
         * @description A module: a session names it by `name/version`, or by the name alone if there are no versions.
         */
        ModuleOut: {
            /**
             * Default
             * @description The version that the name alone stands for.
             */
            default: string | null;
            /** Description */
            description: string;
            /** Name */
            name: string;
            /**
             * Versions
             * @description Newest first.
             */
            versions: string[];
        };
        /** ModulePage */
        ModulePage: {
            /**
             * As Of
             * @description When the list was read; null if it has not been read or is not kept.
             */
            as_of: string | null;
            /** Items */
            items: components["schemas"]["ModuleOut"][];
        };
        /**
         * MoreTime
         * @description Time to add to a session, and why not; null: it may be added now.
         */
        MoreTime: {
            /** Seconds */
            seconds: number;
            /** Why Not */
            why_not: string | null;
        };
        /** MoreTimes */
        MoreTimes: {
            /** Choices */
            choices: components["schemas"]["MoreTime"][];
        };
        /** MountOut */
        MountOut: {
            /** Name */
            name: string;
            /** Title */
            title: string;
        };
        /** MovedOut */
        MovedOut: {
            /** Done */
            done: components["schemas"]["Done"][];
            /** Failed */
            failed: components["schemas"]["Failed"][];
            /** @description Moves what lies on another file system. */
            operation?: components["schemas"]["OperationOut"] | null;
        };
        /** MoveIn */
        MoveIn: {
            /** @default refuse */
            conflict: components["schemas"]["Conflict"];
            /** Paths */
            paths: string[];
            /**
             * Target
             * @description An existing folder.
             */
            target: string;
        };
        /** MyUsage */
        MyUsage: {
            /** Advice */
            advice: components["schemas"]["Advice"][];
            allowance: components["schemas"]["Allowance"];
            /**
             * By
             * @enum {string}
             */
            by: "user" | "group" | "account" | "partition" | "gpu_type" | "month";
            /**
             * First
             * Format: date
             */
            first: string;
            /**
             * Last
             * Format: date
             */
            last: string;
            /**
             * More
             * @description Number of rows left out here; the CSV has all.
             */
            more: number;
            /**
             * Rows
             * @description Most GPU-hours first; months in order.
             */
            rows: components["schemas"]["UsageRow"][];
            /** Series */
            series: components["schemas"]["SeriesPoint"][];
            source: components["schemas"]["SourceOut"];
            /**
             * Step
             * @enum {string}
             */
            step: "day" | "month";
            total: components["schemas"]["Figures"];
            /**
             * Wasteful
             * @description The jobs with the most unused GPU-hours.
             */
            wasteful: components["schemas"]["JobUse"][];
        };
        /**
         * NextStart
         * @description What to offer first after an end: a start that differs where this one failed, the log, or the form.
         */
        NextStart: {
            /**
             * Avoid
             * @description The node that the next session must not get.
             */
            avoid?: string | null;
            /** Gpu Type */
            gpu_type?: string | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "same" | "more_time" | "more_memory" | "larger_gpu" | "other_node" | "log" | "edit";
            /** Memory Mib */
            memory_mib?: number | null;
            /** Partition */
            partition?: string | null;
            /** Walltime S */
            walltime_s?: number | null;
        };
        /** NgcIn */
        NgcIn: {
            /**
             * Key
             * Format: password
             */
            key: string;
        };
        /** NgcOut */
        NgcOut: {
            /**
             * Message
             * @description Result of checking the key when it was stored; empty otherwise.
             */
            message: string;
            /** Stored */
            stored: boolean;
            /** Stored At */
            stored_at: string | null;
        };
        /** NodeCounts */
        NodeCounts: {
            /** Total */
            total: number;
            /** Up */
            up: number;
        };
        /**
         * NodeDetail
         * @description One node with everything that is known about it.
         */
        NodeDetail: {
            /** As Of */
            as_of: string | null;
            /** Cpus */
            cpus: number;
            /** Cpus Total */
            cpus_total: number;
            /** Features */
            features: string[];
            /** Gpus */
            gpus: string;
            /** Jobs */
            jobs: components["schemas"]["NodeJobOut"][];
            /** Kind */
            kind: number;
            /** Load */
            load: number | null;
            /** Memory Mib */
            memory_mib: number;
            /** Memory Total Mib */
            memory_total_mib: number;
            /** Name */
            name: string;
            /** Partitions */
            partitions: string[];
            /** Pools */
            pools: components["schemas"]["GpuPoolOut"][];
            /** Reason */
            reason: string;
            /** Reservation */
            reservation: string;
            /** Slurm State */
            slurm_state: string;
            /**
             * State
             * @enum {string}
             */
            state: "idle" | "mixed" | "full" | "draining" | "drained" | "down" | "reserved" | "maintenance" | "asleep";
            /** Version */
            version: string;
        };
        /**
         * NodeHealth
         * @description A node with everything about its health; newest history first.
         */
        NodeHealth: {
            /** As Of */
            as_of: string | null;
            /** Available */
            available: boolean;
            /** Boot At */
            boot_at: string | null;
            /**
             * Busy At
             * @description When a job last ran there, according to Slurm.
             */
            busy_at: string | null;
            /** Cpus */
            cpus: number;
            /** Cpus Allocated */
            cpus_allocated: number;
            /**
             * Draining
             * @description Takes no new jobs: an administrator or Slurm drained it.
             */
            draining: boolean;
            /** Features */
            features: string[];
            /** Findings */
            findings: components["schemas"]["Finding"][];
            /** Gpu Types */
            gpu_types: string[];
            /** Gpus Allocated */
            gpus_allocated: number;
            /** Gpus Drained */
            gpus_drained: number;
            /**
             * Gpus Found
             * @description GPUs that the node found, if fewer than configured.
             */
            gpus_found: number | null;
            /** Gpus Total */
            gpus_total: number;
            /** History */
            history: components["schemas"]["NodeStateOut"][];
            /** Jobs */
            jobs: components["schemas"]["AffectedJob"][];
            /** Load */
            load: number | null;
            /** Memory Allocated Mib */
            memory_allocated_mib: number;
            /** Memory Free Mib */
            memory_free_mib: number | null;
            /** Memory Mib */
            memory_mib: number;
            /** Name */
            name: string;
            /** Partitions */
            partitions: string[];
            /** Reason */
            reason: string;
            /** Reason At */
            reason_at: string | null;
            /** Reason By */
            reason_by: string;
            /**
             * Slurmd Since
             * @description When its slurmd last started and registered.
             */
            slurmd_since: string | null;
            /**
             * State
             * @description Slurm's state, such as `IDLE+DRAIN`.
             */
            state: string;
            /** Version */
            version: string;
        };
        /**
         * NodeJobOut
         * @description A job on a node, and which of the node's GPUs it holds; `letter` stands for it in the node's row.
         */
        NodeJobOut: {
            /** Gpus */
            gpus: number[];
            job: components["schemas"]["ClusterJobOut"];
            /** Letter */
            letter: string | null;
            /** Sure */
            sure: boolean;
        };
        /** NodeRow */
        NodeRow: {
            /** Available */
            available: boolean;
            /** Cpus */
            cpus: number;
            /** Cpus Allocated */
            cpus_allocated: number;
            /**
             * Draining
             * @description Takes no new jobs: an administrator or Slurm drained it.
             */
            draining: boolean;
            /** Gpu Types */
            gpu_types: string[];
            /** Gpus Allocated */
            gpus_allocated: number;
            /** Gpus Total */
            gpus_total: number;
            /** Jobs */
            jobs: components["schemas"]["AffectedJob"][];
            /** Load */
            load: number | null;
            /** Memory Allocated Mib */
            memory_allocated_mib: number;
            /** Memory Mib */
            memory_mib: number;
            /** Name */
            name: string;
            /** Partitions */
            partitions: string[];
            /** Reason */
            reason: string;
            /**
             * State
             * @description Slurm's state, such as `IDLE+DRAIN`.
             */
            state: string;
        };
        /** NodeRows */
        NodeRows: {
            /** As Of */
            as_of: string | null;
            /** Items */
            items: components["schemas"]["NodeRow"][];
        };
        /**
         * NodeStateOut
         * @description The node's state from `at` until the next record.
         */
        NodeStateOut: {
            /**
             * Actor
             * @description Who drained or resumed it; null if unknown.
             */
            actor: string | null;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Reason */
            reason: string;
            /**
             * State
             * @enum {string}
             */
            state: "up" | "draining" | "drained" | "down" | "maintenance" | "gone";
        };
        /**
         * NodeUseOut
         * @description What a job uses on one of its nodes.
         */
        NodeUseOut: {
            /**
             * Cores
             * @description Cores that it has there; a mean if its nodes differ.
             */
            cores: number;
            /**
             * Cpu Percent
             * @description Percent of one core: 200 is two cores.
             */
            cpu_percent: number;
            /**
             * Gpu Problems
             * @description What is wrong with them, in words.
             */
            gpu_problems?: string[];
            /** Gpus */
            gpus: components["schemas"]["GpuUse"][];
            /** Memory Asked Mib */
            memory_asked_mib: number | null;
            /** Memory Mib */
            memory_mib: number;
            /** Node */
            node: string;
        };
        /** NotificationsOut */
        NotificationsOut: {
            /** Ending Minutes */
            ending_minutes: number;
            /** Idle Minutes */
            idle_minutes: number;
            mail: components["schemas"]["MailOut"];
            webhook: components["schemas"]["WebhookOut"];
        };
        /** OfferOut */
        OfferOut: {
            /** Available */
            available: boolean;
            /** Description */
            description: string;
            /** Group */
            group: string;
            /** Icon */
            icon: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "jupyter" | "web";
            /** Name */
            name: string;
            /**
             * Network
             * @description Whether it can reach the network from its node.
             */
            network: boolean;
            /**
             * Origin
             * @description Whether it ships with the portal, was added by the site, or is the caller's own.
             * @enum {string}
             */
            origin: "portal" | "site" | "own";
            /**
             * Program
             * @description The program that an environment must have; empty if any will do.
             */
            program: string;
            /**
             * Reason
             * @description Why it cannot be started here.
             */
            reason: string | null;
            /**
             * Remedy
             * @description For administrators: how to make it available.
             */
            remedy: string | null;
            /** Sources */
            sources: components["schemas"]["AppSourceOut"][];
            /** Title */
            title: string;
        };
        /** OfferPage */
        OfferPage: {
            /** Items */
            items: components["schemas"]["OfferOut"][];
        };
        /** OpenIn */
        OpenIn: {
            /**
             * Session
             * @description Id of one of your ready sessions.
             */
            session: string;
            /**
             * Version
             * @description `new`: the site's version, placed beside your changed copy.
             * @default mine
             * @enum {string}
             */
            version: "mine" | "new";
        };
        /** OpenOut */
        OpenOut: {
            /**
             * Url
             * @description Path that shows the notebook in that session.
             */
            url: string;
        };
        /**
         * OpenPort
         * @description A port on which a program of the session listens.
         */
        OpenPort: {
            /** Port */
            port: number;
            /**
             * Process
             * @description The program's name.
             * @default
             */
            process: string;
        };
        /**
         * OperationKind
         * @enum {string}
         */
        OperationKind: "copy" | "move" | "delete" | "empty";
        /**
         * OperationOut
         * @description A copy, move or deletion that may take hours.
         */
        OperationOut: {
            /**
             * Began
             * Format: date-time
             */
            began: string;
            /** Bytes Done */
            bytes_done: number;
            /** Bytes Total */
            bytes_total: number | null;
            /** Cancelling */
            cancelling: boolean;
            /**
             * Count
             * @description How many paths were asked for; 0: everything in the bin.
             */
            count: number;
            /**
             * Current
             * @description What it is at.
             */
            current: string;
            /**
             * Done Count
             * @description Of the paths, once it has ended.
             */
            done_count: number;
            /** Ended */
            ended: string | null;
            /** Entries Done */
            entries_done: number;
            /**
             * Entries Total
             * @description Grows while they are counted; null: not known.
             */
            entries_total: number | null;
            /**
             * Failed
             * @description The first 50.
             */
            failed: components["schemas"]["Failed"][];
            /** Failed Count */
            failed_count: number;
            /**
             * First
             * @description The first of them.
             */
            first: string;
            /** Id */
            id: string;
            kind: components["schemas"]["OperationKind"];
            /**
             * Left
             * @description The first 50.
             */
            left: components["schemas"]["Failed"][];
            /**
             * Left Count
             * @description Entries in folders that were left out, or could not be deleted.
             */
            left_count: number;
            /**
             * Message
             * @description Why it did not end well.
             */
            message: string;
            /**
             * Stalled
             * @description Whether it has told nothing for 20 s: its file system may not answer.
             */
            stalled: boolean;
            /** @description `unknown`: the portal does not know how far it came. */
            state: components["schemas"]["OperationState"];
            /**
             * Target
             * @description The folder to copy or move into.
             */
            target: string;
            /**
             * Updated
             * Format: date-time
             */
            updated: string;
        };
        /**
         * OperationResult
         * @description What was done, and who was notified.
         */
        OperationResult: {
            /** Nodes */
            nodes: string[];
            /** Told */
            told: string[];
        };
        /** OperationsOut */
        OperationsOut: {
            /** Items */
            items: components["schemas"]["OperationOut"][];
        };
        /**
         * OperationState
         * @enum {string}
         */
        OperationState: "waiting" | "running" | "done" | "failed" | "cancelled" | "unknown";
        /**
         * OptionsOut
         * @description Everything that the form of a new session needs, for this user, now.
         */
        OptionsOut: {
            /** Accounts */
            accounts: components["schemas"]["AccountOut"][];
            /** Apps */
            apps: components["schemas"]["AppOut"][];
            /** As Of */
            as_of: string | null;
            defaults: components["schemas"]["DefaultsOut"];
            /** Environments */
            environments: components["schemas"]["EnvironmentBrief"][];
            /** Gpus */
            gpus: components["schemas"]["GpuPoolOut"][];
            /**
             * Licenses
             * @description That Slurm counts here.
             */
            licenses: components["schemas"]["LicenseOut"][];
            /** Partitions */
            partitions: components["schemas"]["PartitionOut"][];
            policy: components["schemas"]["PolicyOut"];
            /** Reservations */
            reservations: components["schemas"]["ReservationChoice"][];
            /**
             * Wckeys
             * @description Yours, where Slurm tracks them.
             */
            wckeys: string[];
        };
        /** Output */
        Output: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "text" | "picture";
            /**
             * Png
             * @description The picture, base64.
             */
            png?: string | null;
            /**
             * Text
             * @description The printed text, or the name of a picture.
             * @default
             */
            text: string;
        };
        /**
         * OutputOut
         * @description A piece of a job's output; offsets in bytes. Empty if the file does not exist yet.
         */
        OutputOut: {
            /** Next Offset */
            next_offset: number;
            /** Offset */
            offset: number;
            /** Path */
            path: string;
            /** Size */
            size: number;
            /** Text */
            text: string;
        };
        /** OwnerRow */
        OwnerRow: {
            /**
             * Came Back
             * @description Sessions in which the owner worked again after the end would have come.
             */
            came_back: number;
            /** Ended */
            ended: number;
            /** Gpu Hours Back */
            gpu_hours_back: number;
            /** Owner */
            owner: string;
            /** Sessions */
            sessions: number;
            /**
             * Warned
             * @description Sessions that would have been warned.
             */
            warned: number;
        };
        /** ParseIn */
        ParseIn: {
            /** Script */
            script: string;
        };
        /**
         * ParseOut
         * @description A script as the form shows it.
         */
        ParseOut: {
            /**
             * Complete
             * @description Whether the form shows everything.
             */
            complete: boolean;
            form: components["schemas"]["JobForm"];
            /**
             * Kept
             * @description `#SBATCH` lines that the form has no field for; they stay in the script.
             */
            kept: string[];
        };
        /** PartitionOut */
        PartitionOut: {
            /** Available */
            available: boolean;
            cpus: components["schemas"]["CpuCounts"];
            /** Default */
            default: boolean;
            /** Default Walltime S */
            default_walltime_s: number | null;
            /**
             * Features
             * @description By which nodes can be chosen: those that not all of them have.
             */
            features: components["schemas"]["FeatureOut"][];
            /** Gpus */
            gpus: components["schemas"]["GpuPoolOut"][];
            /** Max Walltime S */
            max_walltime_s: number | null;
            /** Name */
            name: string;
            nodes: components["schemas"]["NodeCounts"];
            per_node: components["schemas"]["PerNode"];
            /** Reason */
            reason: string | null;
            /**
             * Whole Nodes
             * @description Whether Slurm gives each job whole nodes here.
             */
            whole_nodes: boolean;
        };
        /** PartOut */
        PartOut: {
            /** Checked At */
            checked_at: string | null;
            /**
             * Do
             * @description What to do; empty if nothing.
             */
            do: string;
            /** Message */
            message: string;
            /** Name */
            name: string;
            /**
             * Since
             * @description Since when it has been in this state, as far as the portal has seen.
             */
            since: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "down" | "unknown" | "off";
            /** Title */
            title: string;
            /** Took Ms */
            took_ms: number | null;
        };
        /**
         * PerNode
         * @description The most that one node of the partition has.
         */
        PerNode: {
            /** Cpus */
            cpus: number;
            /** Gpus */
            gpus: number;
            /** Memory Mib */
            memory_mib: number;
        };
        /** PersonList */
        PersonList: {
            directory: components["schemas"]["DirectoryOut"];
            /** Items */
            items: components["schemas"]["PersonRow"][];
            /** Total */
            total: number;
        };
        /**
         * PersonOut
         * @description One user of the directory: groups, rights, limits, and what they hold.
         */
        PersonOut: {
            /** Admin */
            admin: boolean;
            /** Allowed */
            allowed: boolean;
            /** Display Name */
            display_name: string;
            /** Gpu Hours Promised */
            gpu_hours_promised: number;
            /** Gpu Hours Used */
            gpu_hours_used: number;
            /** Gpus */
            gpus: number;
            /** Groups */
            groups: string[];
            limits: components["schemas"]["EffectiveOut"];
            /** Mail */
            mail: string;
            /** Pools */
            pools: components["schemas"]["PoolOut"][];
            /** Sessions */
            sessions: number;
            /** Username */
            username: string;
        };
        /**
         * PersonRow
         * @description A user of the directory, or one who holds something. Null: unknown while the directory does not answer.
         */
        PersonRow: {
            /** Admin */
            admin: boolean | null;
            /** Allowed */
            allowed: boolean | null;
            /** Display Name */
            display_name: string;
            /**
             * Gpu Hours Promised
             * @description What sessions and jobs that have not ended may still use.
             * @default 0
             */
            gpu_hours_promised: number;
            /**
             * Gpu Hours Used
             * @description Used this month (UTC).
             * @default 0
             */
            gpu_hours_used: number;
            /**
             * Gpus
             * @default 0
             */
            gpus: number;
            /** Groups */
            groups: string[];
            /** In Directory */
            in_directory: boolean | null;
            /** @description Limits that administrators have set for them. */
            limit: components["schemas"]["LimitRow"] | null;
            /** Mail */
            mail: string;
            /**
             * Sessions
             * @default 0
             */
            sessions: number;
            /** Username */
            username: string;
        };
        /** Place */
        Place: {
            /** Available */
            available: boolean;
            /** Label */
            label: string;
            /** Path */
            path: string;
            /**
             * Reason
             * @description Why it is not available.
             */
            reason: string;
            /** @description Null: unknown. */
            space: components["schemas"]["Space"] | null;
        };
        /** PlacedOut */
        PlacedOut: {
            /**
             * Backup
             * @description Where the user's own copy is now, if it was put aside.
             */
            backup: string | null;
            /**
             * File
             * @description Path in the user's folder `templates`.
             */
            file: string;
        };
        /** PlaceIn */
        PlaceIn: {
            /**
             * How
             * @description `replace` keeps your copy under another name; `keep` marks this version as seen.
             * @enum {string}
             */
            how: "replace" | "keep";
        };
        /** PlaceOut */
        PlaceOut: {
            /** Gpus */
            gpus: number[];
            /** Node */
            node: string;
            /** Sure */
            sure: boolean;
        };
        /** PlacesOut */
        PlacesOut: {
            /** Items */
            items: components["schemas"]["Place"][];
        };
        /** PolicyOut */
        PolicyOut: {
            /** Cpu Only Cpus */
            cpu_only_cpus: number;
            /** Cpu Only Memory Mib */
            cpu_only_memory_mib: number;
            /** Cpus Per Gpu */
            cpus_per_gpu: number;
            /** Gpus In Use */
            gpus_in_use: number;
            /** Max Gpus */
            max_gpus: number;
            /** Max Nodes */
            max_nodes: number;
            /** Max Sessions */
            max_sessions: number;
            /** Max Walltime S */
            max_walltime_s: number;
            /**
             * May Extend
             * @description Whether users can extend their own sessions here.
             * @default false
             */
            may_extend: boolean;
            /** Memory Mib Per Gpu */
            memory_mib_per_gpu: number;
            /** Sessions In Use */
            sessions_in_use: number;
        };
        /**
         * PoolOut
         * @description What all members of one of the user's groups may hold together, and hold.
         */
        PoolOut: {
            /** Gpu Hours Promised */
            gpu_hours_promised: number;
            /** Gpu Hours Used */
            gpu_hours_used: number;
            /** Gpus */
            gpus: number;
            /** Group */
            group: string;
            /** Max Gpu Hours */
            max_gpu_hours: number | null;
            /** Max Gpus */
            max_gpus: number | null;
        };
        /** PresetOut */
        PresetOut: {
            /**
             * Caution
             * @description Why it may not run here; null if everything that it needs was found.
             */
            caution: string | null;
            /** Description */
            description: string;
            form: components["schemas"]["JobForm"];
            /** Name */
            name: string;
            /** Title */
            title: string;
        };
        /** PresetPage */
        PresetPage: {
            /** Items */
            items: components["schemas"]["PresetOut"][];
        };
        /** PreviewOut */
        PreviewOut: {
            /** Cells */
            cells: components["schemas"]["Cell"][];
            /** Id */
            id: string;
        };
        /** ProblemOut */
        ProblemOut: {
            /** Field */
            field: string;
            /** Message */
            message: string;
        };
        /**
         * QueueBrief
         * @description `version` changes whenever the queue does.
         */
        QueueBrief: {
            /** Running */
            running: number;
            /** Version */
            version: number;
            /** Waiting */
            waiting: number;
        };
        /**
         * QueueOut
         * @description Position in the queue among the partition's pending jobs, by Slurm's priority.
         */
        QueueOut: {
            /** Expected Start */
            expected_start: string | null;
            /** Of */
            of: number;
            /**
             * Order
             * @description Why the jobs ahead are ahead, and what the priority consists of, in words.
             */
            order: string;
            /** Position */
            position: number;
        };
        /**
         * QueueRow
         * @description A pending or running job of any user.
         */
        QueueRow: {
            /** Account */
            account: string;
            /** Cpus */
            cpus: number;
            /** Ends At */
            ends_at: string | null;
            /** Gpus */
            gpus: number;
            /** Id */
            id: string;
            /**
             * Name
             * @description The session's name, or else the job's.
             */
            name: string;
            /** Nodes */
            nodes: string;
            /** Partition */
            partition: string;
            /** Priority */
            priority: number;
            /** Qos */
            qos: string;
            /**
             * Reason
             * @description Why it is pending, in words.
             */
            reason: string;
            /** Session Id */
            session_id: string | null;
            /**
             * Started At
             * @description For a pending job, Slurm's estimate.
             */
            started_at: string | null;
            /** State */
            state: string;
            /** Submitted At */
            submitted_at: string | null;
            /** Time Limit S */
            time_limit_s: number | null;
            /** User */
            user: string;
        };
        /** QueueRows */
        QueueRows: {
            /** As Of */
            as_of: string | null;
            /** Items */
            items: components["schemas"]["QueueRow"][];
            /**
             * Total
             * @description Number of matching jobs; `items` has the first of them.
             */
            total: number;
        };
        /**
         * QuotaOut
         * @description Space where your images are stored: of your quota if known, else of the file system, which you share.
         */
        QuotaOut: {
            /** Free Mb */
            free_mb: number;
            /**
             * Own
             * @description Whether it is the caller's own quota.
             */
            own: boolean;
            /** Total Mb */
            total_mb: number;
        };
        /** RemoveIn */
        RemoveIn: {
            /** Paths */
            paths: string[];
        };
        /** RenameIn */
        RenameIn: {
            /** Name */
            name: string;
            /** Path */
            path: string;
        };
        /**
         * ReservationChoice
         * @description A reservation that the caller may use.
         */
        ReservationChoice: {
            /** Ends At */
            ends_at: string | null;
            /** Gpus */
            gpus: number;
            /** Name */
            name: string;
            /** Nodes */
            nodes: number;
            /**
             * Partitions
             * @description The partitions that have all of its nodes; the default one first.
             */
            partitions: string[];
            /** Starts At */
            starts_at: string | null;
        };
        /** ReservationIn */
        ReservationIn: {
            /** Accounts */
            accounts?: string[];
            /**
             * All Nodes
             * @description Instead of nodes: the whole cluster.
             * @default false
             */
            all_nodes: boolean;
            /** Flags */
            flags?: ("MAINT" | "IGNORE_JOBS" | "FLEX" | "DAILY" | "WEEKLY")[];
            /**
             * Gpu Type
             * @description With `gpus`: of this type.
             */
            gpu_type?: string | null;
            /**
             * Gpus
             * @description Instead of nodes: whole nodes with this many GPUs in total.
             */
            gpus?: number | null;
            /** Minutes */
            minutes: number;
            /** Name */
            name: string;
            /** Nodes */
            nodes?: string[];
            /**
             * Starts At
             * @description Default: now.
             */
            starts_at?: string | null;
            /** Users */
            users?: string[];
        };
        /** ReservationList */
        ReservationList: {
            /** Items */
            items: components["schemas"]["ReservationOut"][];
        };
        /** ReservationOut */
        ReservationOut: {
            /** Accounts */
            accounts: string[];
            /** Ends At */
            ends_at: string | null;
            /** Flags */
            flags: string[];
            /** Name */
            name: string;
            /** Node Count */
            node_count: number;
            /** Node Names */
            node_names: string[];
            /**
             * Nodes
             * @description As a Slurm node list.
             */
            nodes: string;
            /** Partition */
            partition: string;
            /** Starts At */
            starts_at: string | null;
            /** State */
            state: string;
            /** Users */
            users: string[];
        };
        /**
         * ReservationPatch
         * @description What to change of a reservation; what is left out stays.
         */
        ReservationPatch: {
            /**
             * Accounts
             * @description Empty: no accounts are named.
             */
            accounts?: string[] | null;
            /** Ends At */
            ends_at?: string | null;
            /** Nodes */
            nodes?: string[] | null;
            /**
             * Starts At
             * @description Slurm refuses it once the reservation has started.
             */
            starts_at?: string | null;
            /**
             * Users
             * @description Empty: no users are named.
             */
            users?: string[] | null;
        };
        /**
         * ResourceRequest
         * @description Requested resources; policy fills in what is left out. Cores, memory (MiB) and GPUs are per node.
         */
        ResourceRequest: {
            /** Account */
            account?: string | null;
            /**
             * Constraint
             * @description Features that its nodes must have: `a100&nvme`.
             */
            constraint?: string | null;
            /** Cpus */
            cpus?: number | null;
            /**
             * Exclusive
             * @description Whether it gets whole nodes, with all their GPUs and cores.
             */
            exclusive?: boolean | null;
            /**
             * Gpu Memory Gb
             * @description The least memory of each GPU. The type becomes the one with the least memory that is enough, such as a MIG instance; `gpu_type` may then be a word of its name: `a100`.
             */
            gpu_memory_gb?: number | null;
            /** Gpu Type */
            gpu_type?: string | null;
            /** Gpus */
            gpus?: number | null;
            /**
             * Licenses
             * @description Licences, with how many of each: `matlab:2,ansys`.
             */
            licenses?: string | null;
            /** Memory Mib */
            memory_mib?: number | null;
            /**
             * Mps Percent
             * @description Percent of one GPU instead of whole ones, where jobs of the site share GPUs by MPS.
             */
            mps_percent?: number | null;
            /** Nodes */
            nodes?: number | null;
            /** Partition */
            partition?: string | null;
            /** Qos */
            qos?: string | null;
            /** Reservation */
            reservation?: string | null;
            /**
             * Shards
             * @description Shards of one GPU instead of whole ones, where the site splits its GPUs.
             */
            shards?: number | null;
            /** Walltime S */
            walltime_s?: number | null;
            /**
             * Wckey
             * @description What Slurm's accounting charges it to, besides the account.
             */
            wckey?: string | null;
        };
        /**
         * Resources
         * @description What a session gets, with every value decided.
         */
        Resources: {
            /** Account */
            account: string | null;
            /** Constraint */
            constraint?: string | null;
            /** Cpus */
            cpus: number;
            /**
             * Exclusive
             * @default false
             */
            exclusive: boolean;
            /** Gpu Type */
            gpu_type: string | null;
            /** Gpus */
            gpus: number;
            /** Licenses */
            licenses?: string | null;
            /** Memory Mib */
            memory_mib: number;
            /**
             * Mps Percent
             * @default 0
             */
            mps_percent: number;
            /** Nodes */
            nodes: number;
            /** Partition */
            partition: string;
            /** Qos */
            qos: string | null;
            /** Reservation */
            reservation: string | null;
            /**
             * Shards
             * @default 0
             */
            shards: number;
            /** Walltime S */
            walltime_s: number;
            /** Wckey */
            wckey?: string | null;
        };
        /** RestoreIn */
        RestoreIn: {
            /** Ids */
            ids: string[];
        };
        /** Resume */
        Resume: {
            /** Nodes */
            nodes: string[];
        };
        /** RuleOut */
        RuleOut: {
            /** Action */
            action: string;
            /** After Minutes */
            after_minutes: number;
            /** Grace Minutes */
            grace_minutes: number;
            /**
             * Text
             * @description The rule in words.
             */
            text: string;
            /** While Others Wait */
            while_others_wait: boolean;
        };
        /** SamplePoint */
        SamplePoint: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /**
             * Bandwidth Percent
             * @description Mean of its GPUs' used memory bandwidth, from Hopper on.
             */
            bandwidth_percent: number | null;
            /**
             * Cpu Percent
             * @description Percent of one core.
             */
            cpu_percent: number | null;
            /**
             * Gpu Memory Mib
             * @description All its GPUs in total.
             */
            gpu_memory_mib: number | null;
            /**
             * Gpu Peak Percent
             * @description Highest reading of any of its GPUs.
             */
            gpu_peak_percent: number | null;
            /**
             * Gpu Percent
             * @description Mean over the session's GPUs.
             */
            gpu_percent: number | null;
            /**
             * Kernel Busy Percent
             * @description How much of the time any Jupyter kernel was busy.
             */
            kernel_busy_percent: number | null;
            /** Memory Mib */
            memory_mib: number | null;
            /**
             * Nvlink Mib S
             * @description The same over NVLink.
             */
            nvlink_mib_s: number | null;
            /**
             * Pcie Mib S
             * @description All its GPUs in total over PCIe, both directions, from Hopper on.
             */
            pcie_mib_s: number | null;
            /**
             * Power W
             * @description All its GPUs in total.
             */
            power_w: number | null;
            /**
             * Sm Percent
             * @description Mean of its GPUs' busy multiprocessors (SMs), from Hopper on.
             */
            sm_percent: number | null;
        };
        /**
         * Scope
         * @enum {string}
         */
        Scope: "user" | "site";
        /** ScriptOut */
        ScriptOut: {
            /** Script */
            script: string;
        };
        /** SeenIn */
        SeenIn: {
            /** Seen */
            seen: boolean;
        };
        /** SeriesPoint */
        SeriesPoint: {
            /**
             * At
             * Format: date
             * @description A day, or the first of a month (UTC).
             */
            at: string;
            /** Cpu Hours */
            cpu_hours: number;
            /** Gpu Hours */
            gpu_hours: number;
            /** Gpu Hours Unused */
            gpu_hours_unused: number;
            /** Gpu Hours Used */
            gpu_hours_used: number;
        };
        /** SessionOut */
        SessionOut: {
            /** App */
            app: string;
            /** App Title */
            app_title: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            end: components["schemas"]["EndOut"] | null;
            /** Ended At */
            ended_at: string | null;
            /** Ends At */
            ends_at: string | null;
            /** Environment */
            environment: string;
            /** Environment Title */
            environment_title: string;
            /**
             * Environment Version
             * @description Its version when the session was requested.
             */
            environment_version: string | null;
            /** Id */
            id: string;
            /** @description Set while its owner is warned that it is idle. */
            idle?: components["schemas"]["IdleOut"] | null;
            image: components["schemas"]["ImageBrief"] | null;
            /** Job Id */
            job_id: number | null;
            /** Modules */
            modules: string[];
            /** Name */
            name: string;
            /** Node */
            node: string | null;
            /**
             * Options
             * @description Values of the app's options.
             */
            options: {
                [key: string]: string | boolean;
            };
            /** Owner */
            owner: string;
            /**
             * Ports Url
             * @description Where its ports open: append `8501/`. null: it is not ready, or the site has switched it off.
             */
            ports_url: string | null;
            /**
             * Preset
             * @description The preset that it was started from.
             */
            preset: string | null;
            /** Progress */
            progress: number;
            /** @description null: it has no position in the queue, for example because it is held. */
            queue: components["schemas"]["QueueOut"] | null;
            /** Queued At */
            queued_at: string | null;
            /** Ready At */
            ready_at: string | null;
            /**
             * Reason
             * @description Why it is queued, or how it ended, in words.
             */
            reason: string | null;
            /**
             * Reason Code
             * @description Slurm's code for it.
             */
            reason_code: string | null;
            resources: components["schemas"]["Resources"];
            /**
             * Revision
             * @description Grows with each change: of two answers, the higher one is newer.
             */
            revision: number;
            /** Server Name */
            server_name: string;
            /** Started At */
            started_at: string | null;
            state: components["schemas"]["SessionState"];
            /**
             * Suspended
             * @description Whether Slurm has suspended its job; it goes on when Slurm resumes it.
             */
            suspended: boolean;
            /**
             * Template
             * @description The template that it was started from.
             */
            template: string | null;
            /**
             * Url
             * @description Path to open; set when the session is ready.
             */
            url: string | null;
            usage: components["schemas"]["UsageOut"] | null;
            /**
             * Used At
             * @description When it was last used, according to JupyterHub.
             */
            used_at: string | null;
        };
        /** SessionPage */
        SessionPage: {
            /**
             * As Of
             * @description When the Slurm snapshot behind it was taken.
             */
            as_of: string | null;
            /** Items */
            items: components["schemas"]["SessionOut"][];
            /**
             * Next
             * @description Pass as `before` for the next page; null at the end.
             */
            next: string | null;
        };
        /** SessionPresetIn */
        SessionPresetIn: {
            /** Name */
            name: string;
            request: components["schemas"]["SessionRequest"];
        };
        /**
         * SessionPresetList
         * @description Your own presets by name, then those that the site shares with you.
         */
        SessionPresetList: {
            /** Items */
            items: components["schemas"]["SessionPresetOut"][];
        };
        /** SessionPresetOut */
        SessionPresetOut: {
            /**
             * Id
             * @description Null for a preset of the site.
             */
            id: number | null;
            /** Name */
            name: string;
            request: components["schemas"]["SessionRequest"];
        };
        /** SessionPresetRename */
        SessionPresetRename: {
            /** Name */
            name: string;
        };
        /**
         * SessionRequest
         * @description A session request: an app in an environment on resources.
         */
        SessionRequest: {
            /** App */
            app: string;
            /**
             * Avoid
             * @description A node that the session must not get.
             */
            avoid?: string | null;
            /** Environment */
            environment?: string | null;
            /**
             * Modules
             * @description Environment modules, loaded on top of the environment.
             */
            modules?: string[];
            /** Name */
            name?: string | null;
            /**
             * Options
             * @description Values of the app's options, by name.
             */
            options?: {
                [key: string]: string | boolean;
            };
            /**
             * Preset
             * @description The preset that it starts from, to find its use by.
             */
            preset?: string | null;
            /** @default {} */
            resources: components["schemas"]["ResourceRequest"];
            /**
             * Template
             * @description The template that it opens, to find the session's use by.
             */
            template?: string | null;
        };
        /**
         * SessionResult
         * @description The result for one session: done, or why not.
         */
        SessionResult: {
            /** Id */
            id: string;
            /** Message */
            message: string;
            /** Ok */
            ok: boolean;
        };
        /** SessionResults */
        SessionResults: {
            /** Results */
            results: components["schemas"]["SessionResult"][];
        };
        /**
         * SessionRows
         * @description Sessions of all users, newest first.
         */
        SessionRows: {
            /**
             * As Of
             * @description When the Slurm snapshot behind it was taken.
             */
            as_of: string | null;
            /** Items */
            items: components["schemas"]["SessionOut"][];
            /**
             * Next
             * @description Pass as `before` for the next page; null at the end.
             */
            next: string | null;
            /**
             * Use Unknown Since
             * @description When JupyterHub, which knows when sessions were last used, stopped answering; null while it answers.
             */
            use_unknown_since: string | null;
        };
        /**
         * SessionState
         * @enum {string}
         */
        SessionState: "submitted" | "queued" | "allocated" | "starting" | "ready" | "stopping" | "ended";
        /**
         * SessionUse
         * @description What a session used over its life; times without samples have no point.
         */
        SessionUse: {
            gpus: components["schemas"]["GpuTotalsOut"];
            /** Items */
            items: components["schemas"]["SamplePoint"][];
            /**
             * Step S
             * @description Seconds between points; 0 while there are none.
             */
            step_s: number;
        };
        /**
         * Shape
         * @description The JSON that a webhook's receiver expects.
         * @enum {string}
         */
        Shape: "json" | "slack" | "teams" | "mattermost";
        /**
         * ShareAsk
         * @description Whom to let in, to what, for how long.
         */
        ShareAsk: {
            /**
             * Groups
             * @description Groups that you are in.
             */
            groups?: string[];
            /**
             * Hours
             * @description How long; null: until the session ends, or for the longest time allowed.
             */
            hours?: number | null;
            /**
             * Key
             * @description Instead of people: the name of a new key, with which programs get in without a login. A key of the same name for the same app or port is replaced.
             */
            key?: string | null;
            /**
             * Mode
             * @description `look`: they only see what you do; `use`: they use it as you. Null: look, where that is possible.
             */
            mode?: ("look" | "use") | null;
            /**
             * Port
             * @description A port of the session; null: the session's app itself.
             */
            port?: number | null;
            /**
             * Users
             * @description User names.
             */
            users?: string[];
        };
        /**
         * SharedList
         * @description What other users share with you now, oldest first.
         */
        SharedList: {
            /** Items */
            items: components["schemas"]["SharedOut"][];
        };
        /**
         * SharedOut
         * @description What another user shares with you.
         */
        SharedOut: {
            /** App Title */
            app_title: string;
            /**
             * Ends At
             * Format: date-time
             */
            ends_at: string;
            /** Id */
            id: number;
            /** Link */
            link: string;
            /**
             * Mode
             * @description Whether you may use it as its owner, or only look.
             * @enum {string}
             */
            mode: "look" | "use";
            /** Owner */
            owner: string;
            /** Port */
            port: number | null;
            /**
             * Session
             * @description The session's name.
             */
            session: string;
        };
        /**
         * ShareList
         * @description Shares of a session, oldest first, and what may be shared.
         */
        ShareList: {
            /**
             * App
             * @description Whether the session's app itself may be shared.
             */
            app: boolean;
            /** Items */
            items: components["schemas"]["ShareOut"][];
            /**
             * Keys
             * @description Whether what may be shared to use may be shared with a key.
             */
            keys: boolean;
            /**
             * Max Hours
             * @description The longest time of a share.
             */
            max_hours: number;
            /**
             * Mode Reason
             * @description Why you cannot choose between looking and using the app; empty if you can.
             */
            mode_reason: string;
            /**
             * Modes
             * @description What the app may be shared for; empty if it may not be shared.
             */
            modes: ("look" | "use")[];
            /**
             * Ports
             * @description Whether ports of it may be shared.
             */
            ports: boolean;
            /**
             * Reason
             * @description Why the app may not be shared; empty if it may.
             */
            reason: string;
        };
        /**
         * ShareOut
         * @description A share of one of your sessions: with a user, all members of a group, or whoever has a key.
         */
        ShareOut: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Ends At
             * Format: date-time
             * @description It ends earlier if the session does, or if its owner ends it.
             */
            ends_at: string;
            /** Group */
            group: string | null;
            /** Id */
            id: number;
            /**
             * Key
             * @description The key, in the answer to the request that made it alone; else empty.
             */
            key: string;
            /** Key Name */
            key_name: string | null;
            /**
             * Link
             * @description What to send to the people it is shared with: it works for nobody else. With a key: the address for programs, which send the key as `Authorization: Bearer KEY`.
             */
            link: string;
            /**
             * Mode
             * @description Whether they may use it as you, or only look.
             * @enum {string}
             */
            mode: "look" | "use";
            /** Port */
            port: number | null;
            /** User */
            user: string | null;
        };
        /** SiteLimits */
        SiteLimits: {
            /** Max Gpus */
            max_gpus: number;
            /** Max Sessions */
            max_sessions: number;
            /** Max Walltime S */
            max_walltime_s: number;
        };
        /** SiteOut */
        SiteOut: {
            /** Hub Url */
            hub_url: string;
            /**
             * Missing
             * @description What does not work now, because a part of the site is down.
             */
            missing: components["schemas"]["Missing"][];
            /** Mounts */
            mounts: components["schemas"]["MountOut"][];
            /** Name */
            name: string;
            /**
             * Sharing
             * @description Whether you may share apps and ports of your sessions.
             */
            sharing: boolean;
            slurm: components["schemas"]["SlurmOut"];
            /**
             * Ssh
             * @description Whether you may connect to your sessions with SSH.
             */
            ssh: boolean;
            /** Support */
            support: string;
            /** Version */
            version: string;
        };
        /**
         * SlurmLimit
         * @description What Slurm sets for an association or a QOS: Slurm's own names and values, such as `GrpTRES`: `gres/gpu=8`.
         */
        SlurmLimit: {
            /**
             * Account
             * @description The account of a user's association; else empty.
             */
            account: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "account" | "user" | "qos";
            /** Limits */
            limits: {
                [key: string]: string;
            };
            /**
             * Name
             * @description The account, the user, or the QOS.
             */
            name: string;
            /**
             * Partition
             * @description The partition of a user's association; empty: all.
             */
            partition: string;
        };
        /**
         * SlurmLimits
         * @description `enforced`: whether AccountingStorageEnforce has `limits`; otherwise Slurm does not apply these.
         */
        SlurmLimits: {
            /** Enforced */
            enforced: boolean;
            /** Items */
            items: components["schemas"]["SlurmLimit"][];
        };
        /**
         * SlurmOut
         * @description Whether Slurm answers, since when, and how old the snapshot is.
         */
        SlurmOut: {
            /** As Of */
            as_of: string | null;
            /** Message */
            message: string | null;
            /** Since */
            since: string | null;
            /** State */
            state: string;
        };
        /**
         * SnapshotOut
         * @description All nodes. `GET /cluster/events?after=version` continues from here.
         */
        SnapshotOut: {
            /** As Of */
            as_of: string | null;
            /**
             * Group By
             * @enum {string}
             */
            group_by: "partition" | "rack";
            /** Kinds */
            kinds: components["schemas"]["KindOut"][];
            /** Nodes */
            nodes: components["schemas"]["LiveNodeRow"][];
            queue: components["schemas"]["QueueBrief"];
            /** Rack Feature */
            rack_feature: string;
            /** Version */
            version: string;
        };
        /**
         * SourceOut
         * @description The source of the figures, and whether they are current.
         */
        SourceOut: {
            /**
             * Failing Since
             * @description When the accounting stopped answering.
             */
            failing_since: string | null;
            /**
             * Kind
             * @description `accounting`: Slurm's (sacct); `queue`: the portal's own record of the queue; `none`: nothing yet.
             * @enum {string}
             */
            kind: "accounting" | "queue" | "none";
            /**
             * Read To
             * @description The figures cover the time until then.
             */
            read_to: string | null;
            /**
             * Since
             * @description Start of the data.
             */
            since: string | null;
            /**
             * Text
             * @description The same in words.
             */
            text: string;
        };
        /**
         * Space
         * @description Bytes. With a quota, `total` is the quota.
         */
        Space: {
            /** Free */
            free: number;
            /** Quota */
            quota: boolean;
            /** Total */
            total: number;
            /** Used */
            used: number;
        };
        /**
         * State
         * @enum {string}
         */
        State: "absent" | "installing" | "installed" | "failed";
        /** StopSessions */
        StopSessions: {
            /** Sessions */
            sessions: string[];
        };
        /**
         * SubmissionOut
         * @description A submission: recorded before the job is submitted, and kept while its job is unknown.
         */
        SubmissionOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Id */
            id: string;
            /** Job Id */
            job_id: string | null;
            /**
             * Name
             * @description The job's name; null if the script sets none.
             */
            name: string | null;
            /**
             * Script
             * @description Empty once its job is known; then the job has it.
             */
            script: string;
            /** @description `open`: its job is being looked for. */
            state: components["schemas"]["SubmissionState"];
            /**
             * Text
             * @description What is known about it, in a sentence.
             */
            text: string;
            /** Workdir */
            workdir: string | null;
        };
        /** SubmissionPage */
        SubmissionPage: {
            /** Items */
            items: components["schemas"]["SubmissionOut"][];
        };
        /**
         * SubmissionState
         * @enum {string}
         */
        SubmissionState: "open" | "submitted" | "not_submitted" | "unknown";
        /** SubmitIn */
        SubmitIn: {
            /** Script */
            script: string;
            /**
             * Workdir
             * @description Folder to submit from; null: the home.
             */
            workdir?: string | null;
        };
        /** TagOut */
        TagOut: {
            /** Note */
            note: string;
            /** Tag */
            tag: string;
        };
        /**
         * TaskOut
         * @description One task of an array.
         */
        TaskOut: {
            /** Account */
            account: string;
            array: components["schemas"]["ArrayOut"] | null;
            /** Cpus */
            cpus: number;
            efficiency: components["schemas"]["EfficiencyOut"] | null;
            end: components["schemas"]["JobEndOut"] | null;
            /** Ended At */
            ended_at: string | null;
            /** Ends At */
            ends_at: string | null;
            /** Exit Code */
            exit_code: number | null;
            /** Expected Start */
            expected_start: string | null;
            /** From Portal */
            from_portal: boolean;
            /** Gpu Type */
            gpu_type: string | null;
            /** Gpus */
            gpus: number;
            /**
             * Id
             * @description `123`, or `123_7` for a task of an array.
             */
            id: string;
            /**
             * Memory Mib
             * @description Of the whole job.
             */
            memory_mib: number | null;
            /** Name */
            name: string;
            /** Node List */
            node_list: string;
            /** Nodes */
            nodes: number;
            /**
             * Notify
             * @description Whether its owner is notified when it starts and ends.
             */
            notify: boolean;
            /** Partition */
            partition: string;
            /** Qos */
            qos: string;
            /**
             * Reason
             * @description Why it is pending, in words.
             */
            reason: string | null;
            /** Reason Code */
            reason_code: string | null;
            /** Signal */
            signal: number | null;
            /** Started At */
            started_at: string | null;
            /**
             * State
             * @description Slurm's name of the state.
             */
            state: string;
            /** Stderr */
            stderr: string | null;
            /**
             * Stdout
             * @description File of its output; null while unknown.
             */
            stdout: string | null;
            /** Submitted At */
            submitted_at: string | null;
            usage: components["schemas"]["JobUsageOut"] | null;
            /** Walltime S */
            walltime_s: number | null;
        };
        /** TaskPage */
        TaskPage: {
            /** Items */
            items: components["schemas"]["JobRow"][];
            /**
             * Next
             * @description Pass as `after` for the next page; null at the end.
             */
            next: number | null;
        };
        /** TemplateOut */
        TemplateOut: {
            /**
             * Available
             * @description Whether that environment is installed.
             */
            available: boolean;
            /** Data */
            data: string;
            /** Description */
            description: string;
            /**
             * Environment
             * @description Its kernel's environment; null: the one that serves Jupyter.
             */
            environment: string | null;
            /** Environment Title */
            environment_title: string | null;
            /**
             * File
             * @description Path in the user's folder `templates`.
             */
            file: string;
            /** Framework */
            framework: string;
            /** Gpus */
            gpus: number;
            /**
             * Has Outputs
             * @description Whether its preview shows the outputs of that run.
             */
            has_outputs: boolean;
            /** Id */
            id: string;
            /**
             * Image
             * @description A container image that has the framework; empty: none is needed.
             */
            image: string;
            /** Minutes Cpu */
            minutes_cpu: number | null;
            /** Minutes Gpu */
            minutes_gpu: number | null;
            /**
             * Not Run
             * @description Why it could not be run; empty if it was run.
             */
            not_run: string;
            /**
             * Old
             * @description Whether the framework is no longer developed.
             */
            old: boolean;
            /** Task */
            task: string;
            /** Tested */
            tested: string;
            /** Title */
            title: string;
            /** Versions */
            versions: string;
        };
        /** TemplatePage */
        TemplatePage: {
            /** Items */
            items: components["schemas"]["TemplateOut"][];
        };
        /**
         * TextOut
         * @description A text file as it is now.
         */
        TextOut: {
            /**
             * Encoding
             * @enum {string}
             */
            encoding: "utf-8" | "utf-8-sig" | "utf-16-le" | "utf-16-be" | "latin-1";
            /**
             * Line End
             * @description Null: mixed.
             */
            line_end: ("lf" | "crlf" | "cr") | null;
            /**
             * Path
             * @description As requested.
             */
            path: string;
            /**
             * Size
             * @description Bytes.
             */
            size: number;
            /** Text */
            text: string;
            /**
             * Version
             * @description Changes whenever the file does.
             */
            version: string;
        };
        /** TextSaved */
        TextSaved: {
            /** Path */
            path: string;
            /** Size */
            size: number;
            /** Version */
            version: string;
        };
        /** TextToSave */
        TextToSave: {
            /**
             * Encoding
             * @default utf-8
             * @enum {string}
             */
            encoding: "utf-8" | "utf-8-sig" | "utf-16-le" | "utf-16-be" | "latin-1";
            /**
             * Line End
             * @description Null: keep the text's own.
             * @default lf
             */
            line_end: ("lf" | "crlf" | "cr") | null;
            /** Path */
            path: string;
            /** Text */
            text: string;
            /**
             * Version
             * @description The version that was read; null: a new file.
             */
            version: string | null;
        };
        /** TimeLimit */
        TimeLimit: {
            /**
             * Walltime S
             * @description In all, from the session's start.
             */
            walltime_s: number;
        };
        /**
         * TotalsOut
         * @description Totals at one moment: how much of each resource exists, is in use, is reserved but unused, and is unusable.
         */
        TotalsOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Cpus */
            cpus: number;
            /** Cpus Down */
            cpus_down: number;
            /** Cpus Reserved */
            cpus_reserved: number;
            /** Cpus Used */
            cpus_used: number;
            /** Gpus */
            gpus: number;
            /** Gpus Down */
            gpus_down: number;
            /** Gpus Reserved */
            gpus_reserved: number;
            /** Gpus Used */
            gpus_used: number;
            /** Jobs Running */
            jobs_running: number;
            /** Jobs Waiting */
            jobs_waiting: number;
            /** Memory Down Mib */
            memory_down_mib: number;
            /** Memory Mib */
            memory_mib: number;
            /** Memory Reserved Mib */
            memory_reserved_mib: number;
            /** Memory Used Mib */
            memory_used_mib: number;
        };
        /**
         * UsageOut
         * @description Measured use of a running session; CPU in percent of one core.
         */
        UsageOut: {
            activity?: components["schemas"]["Activity"] | null;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Cpu Percent */
            cpu_percent: number | null;
            /**
             * Gpu Problems
             * @description What is wrong with its GPUs, in words.
             */
            gpu_problems?: string[];
            /** Gpus */
            gpus: components["schemas"]["GpuUse"][];
            /**
             * Memory Killed At
             * @description When the last of them was killed.
             */
            memory_killed_at?: string | null;
            /**
             * Memory Kills
             * @description Processes killed so far because the session ran out of memory; null: not known.
             */
            memory_kills?: number | null;
            /** Memory Mib */
            memory_mib: number | null;
            /**
             * Ports
             * @description Where programs of the session listen.
             */
            ports?: components["schemas"]["OpenPort"][];
        };
        /** UsageReport */
        UsageReport: {
            /**
             * By
             * @enum {string}
             */
            by: "user" | "group" | "account" | "partition" | "gpu_type" | "month";
            /**
             * First
             * Format: date
             */
            first: string;
            /**
             * Last
             * Format: date
             */
            last: string;
            /**
             * More
             * @description Number of rows left out here; the CSV has all.
             */
            more: number;
            /**
             * Rows
             * @description Most GPU-hours first; months in order.
             */
            rows: components["schemas"]["UsageRow"][];
            /** Series */
            series: components["schemas"]["SeriesPoint"][];
            source: components["schemas"]["SourceOut"];
            /**
             * Step
             * @enum {string}
             */
            step: "day" | "month";
            total: components["schemas"]["Figures"];
            /**
             * Wasteful
             * @description The jobs with the most unused GPU-hours.
             */
            wasteful: components["schemas"]["JobUse"][];
        };
        /** UsageRow */
        UsageRow: {
            /**
             * Co2 Kg
             * @description By the site's `usage.co2_g_per_kwh`; null: not set.
             */
            co2_kg: number | null;
            /** Cpu Hours */
            cpu_hours: number;
            /** Cpu Hours Unknown */
            cpu_hours_unknown: number;
            /** Cpu Hours Used */
            cpu_hours_used: number;
            /**
             * Energy Kwh
             * @description Of the GPUs alone, where it was measured.
             */
            energy_kwh: number;
            /** Gpu Hours */
            gpu_hours: number;
            /**
             * Gpu Hours Unknown
             * @description Allocated, but not measured: they may have been used.
             */
            gpu_hours_unknown: number;
            /**
             * Gpu Hours Unused
             * @description Measured, and idle.
             */
            gpu_hours_unused: number;
            /**
             * Gpu Hours Used
             * @description GPU-hours times GPU utilization, where it was measured.
             */
            gpu_hours_used: number;
            /**
             * Jobs
             * @description Jobs that started in this time; each task of an array counts.
             */
            jobs: number;
            /**
             * Key
             * @description A user, group, account, …; empty: none or unknown. A month is written 2026-11.
             */
            key: string;
            /**
             * Wait Median S
             * @description Half of the jobs waited at most this long; within 2.5 %.
             */
            wait_median_s: number | null;
            /** Wait P95 S */
            wait_p95_s: number | null;
        };
        /** Variable */
        Variable: {
            /** Name */
            name: string;
            /** Value */
            value: string;
        };
        /**
         * WaitRange
         * @description 9 of 10 recent jobs like it waited that long: of this partition, with a similar number of GPUs and queue.
         */
        WaitRange: {
            /**
             * Count
             * @description How many jobs like it there were.
             */
            count: number;
            /** Least S */
            least_s: number;
            /** Most S */
            most_s: number;
        };
        /**
         * WebhookIn
         * @description A new webhook, or with `url` left out the stored one with other events or another shape.
         */
        WebhookIn: {
            /** Events */
            events: components["schemas"]["Happening"][];
            shape: components["schemas"]["Shape"];
            /** Url */
            url?: string | null;
        };
        /**
         * WebhookOut
         * @description The stored webhook. Its URL is never shown again.
         */
        WebhookOut: {
            /** Changed At */
            changed_at: string | null;
            /** Events */
            events: components["schemas"]["Happening"][];
            /**
             * Host
             * @description The host of your webhook; null if you have none.
             */
            host: string | null;
            /**
             * Hosts
             * @description The hosts that webhooks may call.
             */
            hosts: string[];
            /**
             * Offered
             * @description Whether this site allows users' webhooks.
             */
            offered: boolean;
            shape: components["schemas"]["Shape"] | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_admin_announcements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncementRows"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_admin_announcement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnouncementIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncementRow"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    set_admin_announcement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                announcement_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnouncementIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncementRow"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The announcement has ended. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_announcement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                announcement_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncementRow"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The announcement has ended. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    affected_admin_announcements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnouncementIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AffectedList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_admin_groups: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                query?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_idle_report: {
        parameters: {
            query?: {
                after_minutes?: number | null;
                /** @description How far back; samples are kept for `usage.raw_days`. */
                days?: number;
                grace_minutes?: number | null;
                while_others_wait?: boolean | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdleReport"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_admin_jobs: {
        parameters: {
            query?: {
                limit?: number;
                query?: string;
                state?: "waiting" | "running" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueRows"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_admin_job_action: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobsAction"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResults"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_admin_limits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    set_admin_limit: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that was read, 0 if nothing was set; if it has changed since, the request is refused. */
                "If-Match"?: string | null;
            };
            path: {
                kind: "user" | "group";
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LimitIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitRow"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Somebody else has changed it since it was read. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_limit: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that was read, 0 if nothing was set; if it has changed since, the request is refused. */
                "If-Match"?: string | null;
            };
            path: {
                kind: "user" | "group";
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Somebody else has changed it since it was read. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_limit_slurm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SlurmLimits"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_admin_nodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeRows"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_node: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeHealth"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    drain_admin_nodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drain"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationResult"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such node. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resume_admin_nodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Resume"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationResult"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such node. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_admin_people: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                query?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_person: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_admin_reservations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReservationList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_admin_reservation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReservationIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReservationList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_reservation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReservationList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    change_admin_reservation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReservationPatch"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReservationList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such reservation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_admin_sessions: {
        parameters: {
            query?: {
                before?: string | null;
                limit?: number;
                /** @description Part of an id, name, owner, app, node, …. */
                query?: string;
                state?: "active" | "ended" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionRows"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    extend_admin_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExtendSessions"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionResults"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    message_admin_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageSessions"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionResults"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    stop_admin_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StopSessions"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionResults"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_usage: {
        parameters: {
            query?: {
                /** @description Restrict to this one; empty: all. */
                account?: string;
                by?: "user" | "group" | "account" | "partition" | "gpu_type" | "month";
                /** @description First day (UTC); the first of this month by default. */
                from?: string | null;
                /** @description Restrict to this one; empty: all. */
                gpu_type?: string;
                /** @description Restrict to this one; empty: all. */
                partition?: string;
                /** @description Last day (UTC), inclusive; today by default. */
                to?: string | null;
                /** @description Restrict to this one; empty: all. */
                user?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReport"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_usage_csv: {
        parameters: {
            query?: {
                /** @description Restrict to this one; empty: all. */
                account?: string;
                by?: "user" | "group" | "account" | "partition" | "gpu_type" | "month";
                /** @description First day (UTC); the first of this month by default. */
                from?: string | null;
                /** @description Restrict to this one; empty: all. */
                gpu_type?: string;
                /** @description Restrict to this one; empty: all. */
                partition?: string;
                /** @description Last day (UTC), inclusive; today by default. */
                to?: string | null;
                /** @description Restrict to this one; empty: all. */
                user?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_announcements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncementList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_apps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferPage"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_audit: {
        parameters: {
            query?: {
                action?: string;
                actor?: string;
                before?: number | null;
                limit?: number;
                refused?: boolean;
                since?: string | null;
                target?: string;
                until?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_audit_csv: {
        parameters: {
            query?: {
                action?: string;
                actor?: string;
                refused?: boolean;
                since?: string | null;
                target?: string;
                until?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_cluster: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_cluster_events: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_cluster_history: {
        parameters: {
            query?: {
                span?: "hour" | "day" | "week" | "month";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_cluster_jobs: {
        parameters: {
            query?: {
                gpu_type?: string;
                limit?: number;
                /** @description Running jobs on this node, regardless of `state`. */
                node?: string;
                /** @description Jobs of this user. */
                of?: string;
                offset?: number;
                /** @description Only the caller's jobs. */
                own?: boolean;
                partition?: string;
                /** @description Part of a number, name, user, account or node. */
                query?: string;
                state?: "active" | "running" | "waiting" | "ended";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterJobsOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_cluster_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterJobDetail"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_cluster_node: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeDetail"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_environments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentPage"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    install_environments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is already installed, or cannot be installed here. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_environment_lab_files: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabFilesOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_events: {
        parameters: {
            query?: {
                /** @description For administrators: all users' sessions (`anyones`), changes of queue, nodes and health. */
                also?: ("sessions" | "queue" | "nodes" | "health")[] | null;
            };
            header?: {
                /** @description The id of the last event that was read. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_files: {
        parameters: {
            query?: {
                /** @description Include names that begin with a dot. */
                hidden?: boolean;
                limit?: number;
                offset?: number;
                order?: "asc" | "desc";
                path?: string;
                /** @description Only names that contain this. */
                q?: string;
                sort?: "name" | "size" | "modified";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilesOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such file or folder. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_file_archive: {
        parameters: {
            query: {
                format?: "zip" | "tar";
                path: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tar": string;
                    "application/zip": string;
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such file or folder. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A zip archive does not take so many files; a tar archive does. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_file_bin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BinOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    empty_files_bin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmptyIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_file_content: {
        parameters: {
            query: {
                path: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The range asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description The file is still the version named by If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such file or folder. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The file ends before the range. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_file_copie: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_files: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_file_folder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FolderIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such file or folder. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The name is taken. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mode_files: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModeIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such file or folder. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    move_files: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MovedOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such file or folder. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_file_operations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationsOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_file_operation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such operation, or none any more. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_file_operation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such operation, or none any more. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_file_places: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlacesOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    remove_files: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RemoveIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManyOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such file or folder. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rename_files: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such file or folder. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The name is taken. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restore_files: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManyOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such file or folder. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_file_text: {
        parameters: {
            query: {
                path: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TextOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such file or folder. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The file is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    set_file_text: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TextToSave"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TextSaved"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such file or folder. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The name is taken. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The file was changed since it was read. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_file_upload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The name is taken. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request cannot be carried out as it is. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_file_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such upload. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    change_file_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such upload. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The name is taken. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_image_catalogue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_images: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImagePage"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_image: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client, such as a UUID: a repeated request with the same key takes effect once. */
                "idempotency-key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImageIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImageOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The image is already on the list, or the path is already taken. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_image: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                image_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_jobs: {
        parameters: {
            query?: {
                before?: string | null;
                limit?: number;
                query?: string;
                state?: "active" | "ended" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobPage"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_job: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client, such as a UUID: a repeated request with the same key takes effect once. */
                "idempotency-key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDetail"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDetail"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_job_again: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgainOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_job_gpus: {
        parameters: {
            query?: {
                /** @description A task of an array. */
                task?: number | null;
            };
            header?: never;
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GpuTotalsOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such job of yours. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_job_output: {
        parameters: {
            query?: {
                file?: "stdout" | "stderr";
                limit?: number;
                /** @description In bytes; negative: from the end. */
                offset?: number;
                /** @description For an array: the task. */
                task?: number | null;
            };
            header?: never;
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutputOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_job_output_follow: {
        parameters: {
            query?: {
                file?: "stdout" | "stderr";
                /** @description In bytes; negative: from the end. */
                offset?: number;
                /** @description For an array: the task. */
                task?: number | null;
            };
            header?: {
                "last-event-id"?: string | null;
            };
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_job_tasks: {
        parameters: {
            query?: {
                after?: number;
                limit?: number;
                state?: "all" | "active" | "pending" | "running" | "ended" | "failed";
            };
            header?: never;
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskPage"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_job_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: number;
                task: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_job_use: {
        parameters: {
            query?: {
                /** @description For an array: the task. */
                task?: number | null;
            };
            header?: never;
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveUseOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_job_action: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ActionIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionsOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    check_jobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobCheckOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    compose_jobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComposeIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScriptOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_job_last_use: {
        parameters: {
            query: {
                name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobLastUse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    parse_jobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ParseIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParseOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_job_presets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresetPage"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_job_submissions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionPage"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_job_submission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_job_submission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_job_submission_again: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgainOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Logout"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_messages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                message_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_modules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModulePage"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_ngc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NgcOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    set_ngc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NgcIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NgcOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_ngc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_notifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationsOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    test_notifications: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel: components["schemas"]["Channel"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The channel has nowhere to send it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_notification_log: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    set_notification_mail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationsOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description This site sends no mail. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    set_notification_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationsOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description This site allows no webhooks. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_notification_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_options: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionsOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_presets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPresetList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_preset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionPresetIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPresetOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description You have too many. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    set_preset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                preset_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionPresetRename"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPresetOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Another of yours has that name. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_preset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                preset_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_sessions: {
        parameters: {
            query?: {
                before?: string | null;
                limit?: number;
                state?: "active" | "ended" | "unseen" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_session: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client, such as a UUID: a repeated request with the same key takes effect once. */
                "idempotency-key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server already has a session. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    set_session_end_seen: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SeenIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It has not ended. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_session_events: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: {
                /** @description As `after`. */
                "last-event-id"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_session_log: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    set_session_resource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It does not wait, or it takes a new job. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    check_sessions_resources: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeCheck"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It does not wait in the queue. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_session_shares: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_session_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShareAsk"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not ready, or shared too often. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_session_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
                share_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    snooze_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No end is announced. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_session_time_limit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MoreTimes"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is not running. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    set_session_time_limit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TimeLimit"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is not running. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_session_usage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionUse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    check_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_shares: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedList"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    open_shares: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                share_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Entry"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntryOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_site: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_templates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePage"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    copy_templates: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                template_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlaceIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlacedOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller's copy or the session prevents it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_template_difference: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                template_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DifferenceOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    open_templates: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                template_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller's copy or the session prevents it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_template_picture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                template_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_template_preview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                template_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewOut"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_template_copies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CopyPage"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_usage: {
        parameters: {
            query?: {
                by?: "month" | "account" | "partition" | "gpu_type";
                /** @description First day (UTC); the first of this month by default. */
                from?: string | null;
                /** @description Last day (UTC), inclusive; today by default. */
                to?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MyUsage"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The directory does not know the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_usage_csv: {
        parameters: {
            query?: {
                by?: "month" | "account" | "partition" | "gpu_type";
                /** @description First day (UTC); the first of this month by default. */
                from?: string | null;
                /** @description Last day (UTC), inclusive; today by default. */
                to?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_usage_last: {
        parameters: {
            query: {
                app: string;
                environment: string;
                preset?: string | null;
                template?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LastUse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
